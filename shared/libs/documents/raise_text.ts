const digits = "0123456789+-=()";
const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾";
const lowered = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎";

/** Writes a raised or lowered text in the characters for that, so that it does not join the number before it: 10⁶, CO₂. */
export function raiseText(text: string, position: "raised" | "lowered"): string {
  // Words are raised too: 1st, Mme.
  if (!/\d/.test(text) || /\p{L}{3}/u.test(text)) return text;
  const marks = position === "raised" ? raised : lowered;
  return text.replace(/[-−+=()\d]/g, (character) => marks[digits.indexOf(character.replace("−", "-"))]!);
}
