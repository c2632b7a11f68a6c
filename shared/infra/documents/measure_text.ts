/**
 * The size of a text in characters, of which six are about one word. A character of Chinese, Japanese or Korean counts
 * as 2.5 letters.
 */
export function measureText(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x2e80 && (unit <= 0x9fff || (unit >= 0xac00 && unit <= 0xd7af) || unit >= 0xf900)) size += 1.5;
  }
  return size;
}
