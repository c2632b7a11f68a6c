const longestAddress = 500;

/** A link as text: its words, and the address behind them where they do not name it. Other links are their words. */
export function writeLink(words: string, address: string): string {
  const href = encodeURI(decodeSafely(address.trim())).replaceAll("(", "%28").replaceAll(")", "%29");
  if (!/^(?:https?:\/\/|mailto:|tel:)./i.test(href) || href.length > longestAddress) return words;
  const name = href.replace(/^(?:https?:\/\/(?:www\.)?|mailto:|tel:)/i, "").replace(/\/$/, "");
  return words.includes(name) ? words : `${words} (${href})`;
}

function decodeSafely(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}
