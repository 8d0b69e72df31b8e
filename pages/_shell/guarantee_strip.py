"""The strip that says what the privacy guarantee means."""

from __future__ import annotations

import math
from dataclasses import replace
from html import escape

import streamlit as st

from dpot_core.disclosures import SETTINGS_NOTE, STATUSES, Disclosure, rounded_up
from dpot_core.guarantees import Guarantee

_STYLE = """<style>
.dpot-strip {display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; padding: 0.6rem 0.9rem; font-size: 0.9rem;
  border: 1px solid rgba(127,127,127,0.35); border-left: 4px solid #0072B2; border-radius: 0.4rem;}
.dpot-strip div {min-width: 0; overflow-wrap: anywhere;}
.dpot-strip b {font-size: 1.05rem; font-variant-numeric: tabular-nums;}
.dpot-strip small {display: block; opacity: 0.75;}
.dpot-strip .wide {flex: 1 1 20rem;}
.dpot-strip .all {flex: 1 1 100%;}
</style>"""


def disclosure_strip(disclosure: Disclosure, otherwise: Guarantee | None = None) -> None:
    """Draw what a view's numbers are, and what is promised for all that is released in them together.

    Args:
        disclosure: of the view.
        otherwise: what a release at these settings would promise, for a view in which nothing is released.
    """
    said = STATUSES[disclosure.status]
    if disclosure.status == "demonstration":
        said = f"{said} {disclosure.draws} The promise holds for secret, fresh noise."
    if not disclosure.parts:
        promise = otherwise
        said += "" if promise is None else " One release at these settings would promise:"
    else:
        promise = disclosure.guarantee
    if len(disclosure.parts) > 1:
        alone = "; ".join(f"{name}: {_epsilon(part)}" for name, part in disclosure.parts)
        said += f" Released here together: {alone}."
        said += " All of them:" if promise is not None else " These promises do not add up."
    if promise is None:
        st.html(f'{_STYLE}<div class="dpot-strip" role="note"><div class="wide">{escape(said)}</div></div>')
    else:
        guarantee_strip(promise, said)


def guarantee_strip(guarantee: Guarantee, what: str = "") -> None:
    """Draw what is promised: epsilon, what it does to odds and beliefs, between whom, and what is public.

    Where people are sampled, the promise to somebody known to be in the sample stands first: it is the weaker one.

    Args:
        guarantee: the promise.
        what: said first: what the promise is about.
    """
    inner = guarantee.weakest
    certainty = inner.posterior(0.5)
    if guarantee.delta == 0.0:
        belief = "at most, for someone who thought 50:50 before"
    else:
        belief = "at most: how often a guess between two 50:50 cases is right"
    if guarantee.protects:
        belief += "; the two differ by a protected change"
    whom = " towards somebody known to be in the sample" if guarantee.sampled is not None else ""
    most = "e^ε: most that one output shifts the odds" if inner.delta == 0.0 else "e^ε: shift of the odds, see δ"
    items = [
        (f"ε = {inner.epsilon:.6g}", f"privacy parameter (nats){_for_what(guarantee)}{whom}", ""),
        (f"× {factor(inner.odds_factor)}", most, ""),
        (f"{percent(certainty)} sure", belief, ""),
    ]
    if guarantee.rate is not None:
        items.insert(0, (f"α = {guarantee.rate:.4g}", "ε per earth mover's distance of 1, the largest", ""))
    if inner.delta > 0.0:
        items.append((f"δ = {inner.delta:.1e}", _delta(guarantee), "wide"))
    if guarantee.sampled is not None:
        items.append((_epsilon(replace(guarantee, sampled=None)), _population(guarantee.sampled.rate), "wide"))
    if not guarantee.proven:
        items.append(("Not proven", "claimed by the paper", ""))
    items.append(("Protected", guarantee.neighbours_text, "wide"))
    items.append(("Public", "; ".join(guarantee.public) or "nothing but the method", "wide"))
    if guarantee.note:
        items.append(("Note", guarantee.note, "wide"))
    items.append(("Settings", SETTINGS_NOTE, "wide"))
    cells = "".join(
        f'<div class="{kind}"><b>{escape(head)}</b><small>{escape(text)}</small></div>' for head, text, kind in items
    )
    if what:
        cells = f'<div class="all">{escape(what)}</div>{cells}'
    st.html(f'{_STYLE}<div class="dpot-strip" role="note" aria-label="Privacy guarantee">{cells}</div>')


def _epsilon(guarantee: Guarantee) -> str:
    inner = guarantee.weakest
    return f"ε = {inner.epsilon:.6g}" + (f", δ = {inner.delta:.1e}" if inner.delta else "")


def _population(rate: float) -> str:
    return (
        f"towards everybody in the population, of whom a share of at most {rate:.3g} of a group is drawn, uniformly, "
        "without replacement and in secret"
    )


def _delta(guarantee: Guarantee) -> str:
    inner = guarantee.weakest
    text = "whatever is looked for in the output is at most e^ε times as likely in one case as in the other, plus δ; "
    if inner.exceeded is None:
        return text + "the factor e^ε itself may be exceeded with a probability larger than δ"
    return text + f"the factor e^ε itself is exceeded with a probability of up to {rounded_up(inner.exceeded)}"


def _for_what(guarantee: Guarantee) -> str:
    return ", for the protected changes" if guarantee.protects else ""


def percent(probability: float) -> str:
    """A probability as a percentage, rounded up so that a bound stays one; never shown as 100 % below 1.

    >>> percent(0.5), percent(0.99331), percent(0.9999546), percent(1.0)
    ('50 %', '99.4 %', '99.996 %', '100 %')
    """
    if probability >= 1.0:
        return "100 %"
    digits = 1
    while digits < 12 and round(_up(probability * 100, digits), digits) >= 100.0:
        digits += 1
    return f"{_up(probability * 100, digits):.{digits}f}".removesuffix(".0") + " %"


def _up(value: float, digits: int) -> float:
    # Multiplying by 10^digits leaves crumbs of rounding: 50.0 must not become 50.1.
    scaled = value * 10**digits
    nearest = round(scaled)
    whole = nearest if abs(scaled - nearest) < 1e-9 * max(1.0, abs(scaled)) else int(scaled) + 1
    return float(whole / 10**digits)


def factor(value: float) -> str:
    """A factor of at least 1 with three digits or all before the point, rounded up so that a bound stays one.

    >>> factor(1.0513), factor(7.389), factor(54.59), factor(22026.4), factor(2.7182e12)
    ('1.06', '7.39', '54.6', '22,027', '2.72e+12')
    """
    if math.isinf(value):
        return "∞"
    digits = 2 - int(math.log10(value))
    if value < 1e6:
        return f"{_up(value, max(digits, 0)):,.{max(digits, 0)}f}"
    return f"{_up(value, digits):.2e}"
