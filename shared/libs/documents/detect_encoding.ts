const sampleSize = 16 * 1024;
/** Encodings that the guess does not know, or takes for others where a text is short. */
const alternatives = (
  "windows-1252 windows-1251 koi8-u ibm866 macintosh windows-1250 iso-8859-2 windows-1253 windows-1254 windows-1255 " +
  "windows-1256 windows-1257 iso-8859-15 x-mac-cyrillic iso-8859-5"
).split(" ");
/** Fewer characters beyond ASCII are a short sample. */
const enough = 4;
const wideEncodings = ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"];

/** The encoding of a text, as TextDecoder names it: by its byte order mark, UTF-8 where most is valid, or a guess. */
export async function detectEncoding(bytes: Uint8Array): Promise<string> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const sample = sampleOf(bytes);
  if (sample.length === 0 || !hasBytesBeyondAscii(sample)) {
    return switchesToJapanese(bytes.subarray(0, 4 * sampleSize)) ? "iso-2022-jp" : "utf-8";
  }
  if (isUtf8(sample)) return "utf-8";
  if (isThai(sample)) return "windows-874";
  const { analyse } = await import("./chardet.ts");
  const guesses: string[] = analyse(sample).map((match) => match.name).filter(isDecodable);
  const guessed = guesses.find((guess) => isWide(guess) && isPlausible(sample, guess));
  const wide = guessed && mostUsual(sample, guessed);
  const guess = guesses.find((guess) => !isWide(guess));
  // Where two bytes are a character, there are few wrong guesses.
  if (wide !== undefined && guessed === guesses[0]) return wide;
  const beyond = sample.filter((byte) => byte >= 0x80).length;
  // Where several are as likely, it is the most usual one, unless there is enough to guess from.
  const usual = guess === undefined || beyond < enough ? "windows-1252" : guess;
  let best = { label: usual, rate: rateText(decode(sample, usual)) };
  for (const label of guess === undefined ? alternatives : [guess, ...alternatives]) {
    const rate = rateText(decode(sample, label));
    if (rate > best.rate) best = { label, rate };
  }
  // Of a few characters, two bytes each, the guess does not know enough. As letters, they make no words.
  return wide !== undefined && best.rate < beyond ? wide : best.label;
}

/** Returns whether the characters of an encoding have several bytes. */
function isWide(label: string): boolean {
  return /^(?:utf|iso-2022|shift_jis|euc|gb|big5)/i.test(label);
}

/** Of a few characters, the guess does not know which of these encodings has them: the one with the most usual ones. */
function mostUsual(sample: Uint8Array, guess: string): string {
  let best = { label: guess, rate: rateIdeographs(decode(sample, guess)) };
  for (const label of wideEncodings.filter((label) => isPlausible(sample, label))) {
    const rate = rateIdeographs(decode(sample, label));
    if (rate > best.rate + 0.1) best = { label, rate };
  }
  return best.label;
}

/** Returns whether a text has no damage, and only few letters of Asia between others. */
function isPlausible(sample: Uint8Array, label: string): boolean {
  if (!isValid(sample, label)) return false;
  const text = decode(sample, label);
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const between = text.match(/(?<=[a-z])[^\0-\x7f](?=[a-z])/giu)?.length ?? 0;
  // Where most letters are Latin, those of Asia are words of their own.
  const latin = text.match(/[a-z]/gi)?.length ?? 0;
  const beside = text.match(/(?<=[a-z])[^\0-\x7f]|[^\0-\x7f](?=[a-z])/giu)?.length ?? 0;
  // Narrow katakana are words, too.
  const alone = text.match(/(?<![\uff61-\uff9f])[\uff61-\uff9f](?![\uff61-\uff9f])/g)?.length ?? 0;
  if (alone * 2 > beyond) return false;
  return !/[\ue000-\uf8ff]/.test(text) && between * 2 <= beyond && (latin < 2 * beyond || beside * 4 <= beyond);
}

/** The text around the first byte beyond ASCII. A line break at the end shows that the last character is whole. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  let first = 0;
  while (first < bytes.length && bytes[first]! < 0x80) first++;
  const start = Math.max(0, first - sampleSize / 4);
  const sample = bytes.subarray(start, start + sampleSize);
  return start + sampleSize < bytes.length ? sample : Uint8Array.of(...sample, 10);
}

function hasBytesBeyondAscii(sample: Uint8Array): boolean {
  return sample.some((byte) => byte >= 0x80);
}

/** Returns whether a text in ASCII has the marks of ISO-2022-JP, which mails have. */
function switchesToJapanese(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  return text.includes("\x1b$B") || text.includes("\x1b$@");
}

/** A bad byte among many good characters is damage, and no sign of another encoding. The sample may end inside one. */
function isUtf8(sample: Uint8Array): boolean {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sample, { stream: true });
  const beyond = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  const bad = text.match(/\ufffd/g)?.length ?? 0;
  // Of few characters, those that are common in Europe: in other encodings, bytes hardly stand in this order.
  const usual = text.match(/[\u00a0-\u017f\u2010-\u203a\u20ac]/g)?.length ?? 0;
  return bad * 5 <= beyond || usual >= bad && usual + bad === beyond;
}

/** Thai has marks that only follow a consonant, and no other encoding has its consonants at these bytes. */
function isThai(sample: Uint8Array): boolean {
  const text = decode(sample, "windows-874");
  const thai = text.match(/[\u0e01-\u0e5b]/g)?.length ?? 0;
  const others = text.match(/[^\0-\x7f\u0e01-\u0e5b‘’“”•–—…\u00a0]/g)?.length ?? 0;
  const misplaced =
    text.match(/(?<![\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g)
      ?.length ?? 0;
  // Letters that Thai does not use any more, and letters of Latin beside its own.
  if (/[ฃฅ]/.test(text) || (text.match(/[a-z][\u0e01-\u0e5b]|[\u0e01-\u0e5b][a-z]/gi)?.length ?? 0) * 10 > thai) {
    return false;
  }
  const consonants = text.match(/[\u0e01-\u0e2e]/g)?.length ?? 0;
  return others === 0 && misplaced === 0 && consonants * 2 > thai &&
    /[\u0e01-\u0e2e]{2}|[\u0e01-\u0e2e][\u0e30-\u0e4e]/.test(text);
}

function decode(bytes: Uint8Array, label: string): string {
  return new TextDecoder(label).decode(bytes, { stream: true });
}

function isValid(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function isDecodable(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** Letters beyond ASCII that are common in a language: of an alphabet that is all beyond, those that most of a text has. */
const common = new Set(
  "αοιετσνρηάόίήיוהלאמרתבשاليمونرتهبğışİiįųėēāīūģķļņčďěňřšťůžńśźżłąęćőűăâșțţşäöüßÄÖÜéèêëàâáãåçñíìîïóòôõúùûýøæœ" +
    "¿¡«»“”„‘’–—…€°оеаинтсрвлі",
);

/** Signs where people write them, between the characters around them: apostrophes, quotation marks, dashes, and what belongs to a number. */
const signs =
  /^(?:[\p{L}\s]’[\p{L}\p{N}\s]|[\s(“—][“‘„«]\S|\S[”’»“‘«][\s\p{P}]|\s[–—]\s|[\p{L}\p{N}][–—][\p{L}\p{N}]|\S…\s|[\s\d][€£][\s\d.,;)]|[\s\d]°[\sCF]|[\s\p{L}][•·§©®™][\s\d]|[\s\d][µ±×][\s\d\p{L}]|[\s\d][½¼¾]\s)$/u;
const alphabets = [/\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Hebrew}/u, /\p{sc=Arabic}/u];
/** So many characters say enough. */
const rated = 2_000;

/** Rates how likely a text was decoded rightly: one alphabet in a word, capitals at its beginning, signs between. */
function rateText(text: string): number {
  let rate = 0;
  const first = text.search(/[^\0-\x7f]/);
  const characters = [...text.slice(Math.max(0, first - 1), first + rated)];
  for (const [i, character] of characters.entries()) {
    const [before = " ", after = " "] = [characters[i - 1], characters[i + 1]];
    if (character > "\x7f" || before > "\x7f") {
      rate += signs.test(before + character + after) ? 2 : ratePair(before, character);
    }
  }
  return rate;
}

function ratePair(before: string, character: string): number {
  if (/[\ufffd\u0080-\u009f\ue000-\uf8ff]/.test(character)) return -5;
  const isLetter = /\p{L}/u.test(character);
  // Nobody types them.
  if (/[¤\u02c6-\u02dd\ufb01\ufb02]/.test(character)) return -2;
  if (isLetter && (before === "¿" || before === "¡")) return 2;
  if (!isLetter && character > "\x7f" && /\p{L}/u.test(before)) return common.has(character) ? 0 : -2;
  if (!isLetter) return 0;
  if (/\p{L}/u.test(before)) {
    if (alphabetOf(before) !== alphabetOf(character)) return -3;
    if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)) return -2;
    if (before > "\x7f" && /[\x80-\u024f]/.test(character)) return -1;
  } else if (before > "\x7f" && /\p{S}/u.test(before)) return -2;
  return character <= "\x7f" ? 0 : common.has(character) ? 2 : 1;
}

/** The place of its alphabet among those that are not Latin. */
function alphabetOf(letter: string): number {
  return alphabets.findIndex((alphabet) => alphabet.test(letter));
}

/** Ideographs that are common in Chinese or Japanese, simplified and traditional. */
const usualIdeographs = new Set(
  "的一是不了在人有我他这这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于著下自之年过過发發后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實日军軍者意无無力它与與长長把机機十民第公此已工使情明性知全三又关關点點正业業外将將两兩高间間由问問很最重并並物手应應战戰向头頭文体體政美相见見被利什二等产產或新己制身果加西斯月话話合回特代内內信表化老给給世位次度门門任常先海通教儿兒原东東声聲提立及比员員解水名真论論处處走义義各入几幾口认認条條平系气氣题題活尔爾更别別打女变變四神总總何电電数數安少报報才结結反受目太量再感建务務做接必场場件计計管期市直德资資命山金指克许許统統区區保至队隊形社便空决決治展马馬科司五基眼书書非则則听聽白却卻界达達光放强強即像难難且权權思王象完设設式色路记記南品住告类類求据據程北边邊死张張该該交规規万萬取拉格望觉覺术術领領共确確传傳师師观觀清今切院让讓识識候带帶导導争爭运運收退货貨修请請留票费費价價格店客服电話营業時間休無料返受付鍵室館理京阪県市區上海臺台灣買卖賣付款送寄号號码碼日本語使用方法注意"
    .match(/./gu)!,
);

/** The share of usual characters among those of Chinese, Japanese and Korean in a text, from 0 to 1. */
function rateIdeographs(text: string): number {
  const characters = text.slice(0, rated).match(/[^\0-\x7f]/gu) ?? [];
  const hangul = characters.filter((character) => /[\uac00-\ud7a3]/.test(character)).length;
  const usual = characters.filter((character) =>
    /[\u3001\u3002\uff0c\u3040-\u30ff]/.test(character) || usualIdeographs.has(character)
  );
  // Korean hardly has others between its own.
  return Math.max(usual.length, hangul * 10 < characters.length * 9 ? 0 : hangul) / characters.length;
}
