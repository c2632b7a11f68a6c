const longestAddress = 500;

/** A link as text: its words, and the address behind them where they do not name it. Other links are their words. */
export function writeLink(words: string, address: string): string {
  const href = spell(address.trim());
  if (href === null || href.length > longestAddress) return words;
  const name = href.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, "").replace(/\/$/, "");
  return words.includes(name) ? words : `${words} (${href})`;
}

/** An address of the web, of mail or of a telephone, without what would end it in a text; null for others. */
function spell(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^(?:https?|mailto|tel):$/.test(url.protocol)) return null;
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "" && !address.endsWith("/");
  return (isBare ? url.href.replace(/\/$/, "") : url.href).replace(/[\s()]/g, encodeSign);
}

function encodeSign(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

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
