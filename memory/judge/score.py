"""The importance score of a clause (B2): parts that add up to it, all of them data."""

from memory.judge.rules import Rules


def score_clause(intent: str, plain: str, language: str, entities: int, rules: Rules) -> tuple[float, dict[str, float]]:
    """(score 0–1, parts). The parts add up to the score exactly; `cap` is negative where the sum would pass 1."""
    weights = rules.weights
    parts = {"base": weights.base.get(intent, weights.base["other"])}
    many, some = weights.entities_many, weights.entities_some
    if entities >= many[0]:
        parts["entities"] = many[1]
    elif entities >= some[0]:
        parts["entities"] = some[1]
    lexicon = rules.lexicon(language)
    if any(w in plain for w in lexicon.words.get("commitment", ())):
        parts["commitment"] = weights.commitment
    if any(w in plain for w in lexicon.words.get("emphasis", ())):
        parts["emphasis"] = weights.emphasis
    length = len(plain)
    for limit, bonus in weights.length:
        if length > limit:
            parts["length"] = bonus
    parts = {name: round(value, 3) for name, value in parts.items() if value}
    total = round(sum(parts.values()), 3)
    if total > 1:
        parts["cap"] = round(1 - total, 3)
        total = 1.0
    return total, parts
