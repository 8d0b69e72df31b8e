"""The strip that says what the privacy guarantee means."""

from dataclasses import replace
from html import escape

from dpot_core.privacy.disclosures import SETTINGS_NOTE, Disclosure
from dpot_core.privacy.guarantees import Guarantee
from dpot_core.privacy.numerals import at_most, percent_at_most
from dpot_core.privacy.wording import in_short

_STYLE = """<style>
.dpot-strip {display: flex; flex-wrap: wrap; gap: 0.4rem 1.6rem; padding: 0.6rem 0.9rem; font-size: 0.9rem;
  border: 1px solid rgba(127,127,127,0.35); border-left: 4px solid #0072B2; border-radius: 0.4rem;}
.dpot-strip div {min-width: 0; overflow-wrap: anywhere;}
.dpot-strip b {font-size: 1.05rem; font-variant-numeric: tabular-nums;}
.dpot-strip small {display: block; opacity: 0.75;}
.dpot-strip .wide {flex: 1 1 20rem;}
.dpot-strip .all {flex: 1 1 100%;}
</style>"""


def disclosure_strip(disclosure: Disclosure, otherwise: Guarantee | None = None) -> str:
    """The kind of a view's numbers, as HTML, and the promise for all that is released in them together.

    ``otherwise``: what a release at these settings would promise, for a view in which nothing is released.
    """
    head, said, guarantee = _said(disclosure, otherwise)
    if guarantee is None:
        return f'{_STYLE}<div class="dpot-strip" role="note">{_first(head, said)}</div>'
    return guarantee_strip(guarantee, (head, said), disclosure.comparison(short_size))


def promise_line(disclosure: Disclosure, otherwise: Guarantee | None = None) -> str:
    """The same in a few sentences, for the foot of a picture that is taken away: epsilon, delta, between whom."""
    head, said, guarantee = _said(disclosure, otherwise)
    short = in_short(guarantee) if guarantee is not None else ()
    return " ".join(filter(None, [head, said, *short, disclosure.comparison(short_size)]))


def _said(disclosure: Disclosure, otherwise: Guarantee | None) -> tuple[str, str, Guarantee | None]:
    """The kind of some numbers, in a few words and in more, and the promise about them, if there is one."""
    head, _, said = disclosure.what.partition(". ")
    head = f"{head.rstrip('.')}."
    if disclosure.status == "demonstration":
        said = f"{disclosure.draws} The promise holds for secret, fresh randomness."
    guarantee = disclosure.promise if disclosure.parts else otherwise
    if guarantee is not None and not disclosure.parts:
        said += " One release at these settings would promise:"
    return head, " ".join(filter(None, [said, disclosure.headline()])), guarantee


def nothing_strip(text: str) -> str:
    """Why there is nothing to promise, as HTML."""
    return f'<div class="dpot-nothing" role="note">{escape(text)}</div>'


def _first(head: str, text: str) -> str:
    return f'<div class="all"><b>{escape(head)}</b><small>{escape(text)}</small></div>'


def guarantee_strip(guarantee: Guarantee, what: tuple[str, str] | None = None, beside: str = "") -> str:
    """A promise as HTML: epsilon, what it does to odds and beliefs, between whom, and what is public.

    Where people are sampled, the promise to a person known to be in the sample stands first: it is the weaker one.
    ``what`` is said before all: what the promise is about, in a few words and in more; ``beside`` after all, small:
    what else is shown, and what publishing it would cost.
    """
    inner = guarantee.weakest
    belief, about = "at most, for someone who thought 50:50 before", ""
    if guarantee.delta > 0.0:
        belief = "at most: how often a guess between two 50:50 cases is right"
    if guarantee.protects:
        belief, about = f"{belief}; the two differ by a protected change", ", for the protected changes"
    whom = " towards a person known to be in the sample" if guarantee.sampled is not None else ""
    most = (
        "e^ε: most that one output shifts the odds"
        if inner.delta == 0.0
        else "e^ε: most that an output shifts the odds, apart from the exceptions of δ"
    )
    items = [
        (f"ε = {at_most(inner.epsilon)}", f"privacy parameter (nats){about}{whom}", ""),
        (f"× {at_most(inner.odds_factor)}", most, ""),
        (f"{percent_at_most(inner.posterior(0.5))} sure", belief, ""),
    ]
    if guarantee.rate is not None:
        items.insert(
            0,
            (
                f"α = {at_most(guarantee.rate)}",
                "ε that a change by an earth mover's distance of 1 costs; 1 is the largest distance",
                "",
            ),
        )
    if inner.delta > 0.0:
        items.append((f"δ = {at_most(inner.delta, 0.0)}", _delta(inner), "wide"))
    if guarantee.sampled is not None:
        everybody = (
            f"towards each person of the population. At most a share of {at_most(guarantee.sampled.rate)} of a group "
            "is drawn, uniformly, without replacement and in secret"
        )
        items.append((short_size(replace(guarantee, sampled=None)), everybody, "wide"))
    if not guarantee.proven:
        items.insert(0, ("Not proven", "claimed by the paper: nothing is released for real under it", "all"))
    items.append(("Hard to tell apart", guarantee.neighbours_text, "wide"))
    items.append(("Public", "; ".join(guarantee.public) or "nothing but the method", "wide"))
    if guarantee.note:
        items.append(("Note", guarantee.note, "wide"))
    items.append(("Settings", SETTINGS_NOTE, "wide"))
    cells = "".join(
        f'<div class="{kind}"><b>{escape(head)}</b><small>{escape(text)}</small></div>' for head, text, kind in items
    )
    if beside:
        cells += f'<div class="all"><small>{escape(beside)}</small></div>'
    if what is not None:
        cells = _first(*what) + cells
    return f'{_STYLE}<div class="dpot-strip" role="note" aria-label="Privacy guarantee">{cells}</div>'


def short_size(guarantee: Guarantee) -> str:
    """Epsilon and delta in three digits, of the weakest layer."""
    inner = guarantee.weakest
    return f"ε = {at_most(inner.epsilon)}" + (f", δ = {at_most(inner.delta, 0.0)}" if inner.delta else "")


def _delta(inner: Guarantee) -> str:
    text = "any output event is at most e^ε times as likely in one case as in the other, plus δ. "
    if inner.exceeded is None:
        return text + "Some outputs shift the odds by more than e^ε; together their probability may be above δ"
    share = at_most(inner.exceeded, 0.0)
    return text + f"Some outputs shift the odds by more than e^ε; together their probability is up to {share}"
