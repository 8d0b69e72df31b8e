"""What files for hosts (Dockerfile, compose.yaml, deploy/) and docs/deploy.md name is what the code has."""

from __future__ import annotations

import ast
import configparser
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from dpot_app.command_line import _parser
from dpot_app.serve import servers
from dpot_app.shell import access
from tests.prerequisites import unavailable

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
HAPROXY = (ROOT / "deploy/haproxy.cfg").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy/dpot.service").read_text(encoding="utf-8")
DEPLOYMENT, SERVICE, INGRESS = yaml.safe_load_all((ROOT / "deploy/kubernetes.yaml").read_text(encoding="utf-8"))
PORT = 8501
#: Packages whose name is another one than their module's.
NAMES = {"ot": "pot", "dp_accounting": "dp-accounting", "PIL": "pillow"}


def stage(name: str) -> str:
    """The instructions of one stage of the Dockerfile, each in one line."""
    text = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE))
    (found,) = re.findall(rf"^FROM \S+ AS {name}\n(.*?)(?=^FROM|\Z)", text, re.DOTALL | re.MULTILINE)
    return str(found)


def instruction(name: str, text: str) -> str:
    (found,) = re.findall(rf"^{name} (.*)$", text, re.MULTILINE)
    return str(found)


def asked(command: list[str]) -> Any:
    """What our command line makes of a command that a file names."""
    assert Path(command[0]).name == "dpot"
    return _parser().parse_args(command[1:])


def test_the_image_starts_the_app_at_its_port_as_no_root_and_asks_whether_it_lives() -> None:
    app = stage("app")
    options = asked(json.loads(instruction("CMD", app)))
    assert (options.address, options.port, options.servers) == ("0.0.0.0", PORT, None)
    assert instruction("EXPOSE", app) == str(PORT)
    healthy = instruction("HEALTHCHECK", app)
    assert f"http://127.0.0.1:{PORT}{access._HEALTH}'" in healthy
    _, program, code = json.loads(healthy.partition(" CMD ")[2])
    assert program == "-c"
    ast.parse(code)
    # The last stage is what a build without a target makes.
    assert DOCKERFILE.rstrip().endswith(instruction("CMD", app)) and "AS app\n" in DOCKERFILE
    (number,) = re.findall(r"useradd --uid (\d+)", stage("base"))
    assert instruction("USER", app) == instruction("USER", stage("science")) == number
    pod = DEPLOYMENT["spec"]["template"]["spec"]["securityContext"]
    assert pod["runAsNonRoot"] and pod["runAsUser"] == int(number)


def test_images_are_named_by_exact_tags() -> None:
    (python,) = re.findall(r"^ARG PYTHON=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+(@sha256:[0-9a-f]{64})?", python)
    # The version of Python that the pins are made for.
    assert python.startswith("python:3.11.") and 'python_version = "3.11"' in (ROOT / "pyproject.toml").read_text()
    for image in (
        COMPOSE["services"]["proxy"]["image"],
        DEPLOYMENT["spec"]["template"]["spec"]["containers"][0]["image"],
    ):
        assert re.search(r":\d+\.\d+", image), image


def test_the_science_has_what_it_imports_and_nothing_else() -> None:
    imported = set()
    for path in (ROOT / "dpot_core").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.partition(".")[0])
    imported -= {*sys.stdlib_module_names, "dpot_core"}
    installed = instruction("RUN", stage("science-packages")).partition("requirements.txt ")[2].split()
    assert set(installed) == {NAMES.get(name, name) for name in imported}
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert {*installed} <= {*pinned}
    assert {"dpot_core", "data"} <= set(re.findall(r"^COPY (\w+) ", stage("science"), re.MULTILINE))


def test_an_image_gets_what_a_wheel_is_made_of_and_no_secret() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    assert lines[0] == "*" and all((ROOT / line[1:]).exists() for line in lines if line[0] == "!")
    given = {line[1:] for line in lines if line[0] == "!"}
    assert {"pyproject.toml", "requirements.in", "requirements.txt", "README.md", "LICENSE", "app.py"} <= given
    assert {"dpot_core", "dpot_app", "pages", "data", ".streamlit/config.toml"} <= given
    assert ".streamlit" not in given, "it may hold secrets.toml"


def test_the_servers_of_compose_are_those_behind_its_proxy() -> None:
    proxy, *apps = sorted(COMPOSE["services"], key="proxy".__ne__)
    assert proxy == "proxy" and len(apps) == 2
    assert re.findall(r"^  server (\w+) (\w+):(\d+) cookie (\w+)$", HAPROXY, re.MULTILINE) == [
        (name, name, str(PORT), name) for name in apps
    ]
    ports = {mapped.rpartition(":")[2] for mapped in COMPOSE["services"]["proxy"]["ports"]}
    assert ports == set(re.findall(r"^  bind :(\d+)", HAPROXY, re.MULTILINE))
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    for name in apps:
        server = COMPOSE["services"][name]
        assert server["read_only"] and server["cap_drop"] == ["ALL"]
        assert server["environment"]["FORWARDED_ALLOW_IPS"] == network["subnet"] and "ports" not in server
    (kept,) = {volume for name in apps for volume in COMPOSE["services"][name]["volumes"]}
    assert f"{kept.partition(':')[2]}/tags.key" in stage("base"), "both have one key"


def test_the_proxy_of_compose_asks_and_waits_as_ours_does() -> None:
    """What `dpot app --servers` starts was tried at length."""
    ours = servers._PROXY
    for line in re.findall(r"^  (?:timeout|option|http-check|balance) .*$", ours, re.MULTILINE):
        assert line in HAPROXY, line
    (cookie,) = re.findall(r"^  cookie (\w+ insert indirect nocache httponly)", ours, re.MULTILINE)
    assert f"  cookie {cookie} secure " in HAPROXY
    (checks,) = re.findall(r"^  default-server (.*)$", ours, re.MULTILINE)
    assert f"  default-server {checks} resolvers" in HAPROXY


def test_haproxy_reads_it(tmp_path: Path) -> None:
    proxy, openssl = servers.haproxy(), shutil.which("openssl")
    if proxy is None or openssl is None:
        unavailable("HAProxy and OpenSSL (Debian: apt install haproxy openssl)")
    key, certificate, written = tmp_path / "key", tmp_path / "certificate", tmp_path / "haproxy.cfg"
    how = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=dpot.example"]
    subprocess.run([openssl, "req", *how, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    (tmp_path / "dpot.pem").write_text(certificate.read_text() + key.read_text())
    written.write_text(HAPROXY.replace("/certs/", f"{tmp_path}/"))
    done = subprocess.run([proxy, "-c", "-f", written], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_unit_starts_the_app_on_loopback_and_not_again_where_it_would_say_the_same(tmp_path: Path) -> None:
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[method-assign, assignment]
    unit.read_string(UNIT)
    options = asked(shlex.split(unit["Service"]["ExecStart"]))
    assert (options.address, options.port) == (None, PORT)
    assert unit["Service"]["RestartPreventExitStatus"] == str(access._UNUSABLE)
    (more,) = re.findall(r"ExecStart=(.*--servers \d+)$", UNIT, re.MULTILINE)
    assert asked(shlex.split(more)).servers == 2
    if analyse := shutil.which("systemd-analyze"):
        file = tmp_path / "dpot.service"
        file.write_text(UNIT.replace("/srv/dpot/bin/dpot", sys.executable))
        done = subprocess.run([analyse, "verify", file], capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr


def test_kubernetes_asks_the_servers_that_it_starts() -> None:
    pod = DEPLOYMENT["spec"]["template"]
    (container,) = pod["spec"]["containers"]
    (port,) = container["ports"]
    assert port["containerPort"] == PORT
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        get = container[probe]["httpGet"]
        assert get["path"] == access._HEALTH and get["port"] == port["name"]
        assert get["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
    selected = DEPLOYMENT["spec"]["selector"]["matchLabels"]
    assert selected == pod["metadata"]["labels"] == SERVICE["spec"]["selector"]
    assert SERVICE["spec"]["ports"][0]["targetPort"] == port["name"]
    (rule,) = INGRESS["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert path["backend"]["service"]["name"] == SERVICE["metadata"]["name"]
    assert path["backend"]["service"]["port"]["name"] == SERVICE["spec"]["ports"][0]["name"]
    hosts = {one["name"]: one.get("value") for one in container["env"]}
    assert rule["host"] == hosts["DPOT_HOSTS"] and INGRESS["spec"]["tls"][0]["hosts"] == [rule["host"]]
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    assert mounts == {volume["name"] for volume in pod["spec"]["volumes"]}


@pytest.mark.parametrize(
    "name", ["Dockerfile", "compose.yaml", "deploy/dpot.service", "deploy/kubernetes.yaml", "docs/deploy.md"]
)
def test_variables_that_are_named_are_read(name: str) -> None:
    read = set()
    for package in ("dpot_app", "dpot_core"):
        for path in (ROOT / package).rglob("*.py"):
            read |= set(re.findall(r"\"(DPOT_[A-Z_]+|PUBLIC)\"", path.read_text(encoding="utf-8")))
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"\b(DPOT_[A-Z_]+|PUBLIC)\b(?=[\s=:,`'\"{}-]|$)", text))
    named -= {"DPOT_SERVER"}  # the cookie
    assert named and named <= read, named - read
