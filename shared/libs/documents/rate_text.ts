/** Letters beyond ASCII that are common in a language. */
const common = new Set(
  "αειουνσςτρκλπμθγβδχηωάέήίόύώאבגדהוזחטיכלמנסעפצקרשתםןךףץابتثجحخدرزسشصضطعغفقكلمنهويةىإأؤئءğışİіїєґųįėēāīūģķļņ" +
    "čďěňřšťůžńśźżłąęćőűăâșțţşäöüßÄÖÜéèêëàâáãåçñíìîïóòôõúùûýøæœ¿¡«»“”„‘’–—…€°оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
);

/** Signs where people write them, between the characters around them: apostrophes, quotation marks, dashes, and what belongs to a number. */
const signs =
  /^(?:[\p{L}\s]’[\p{L}\p{N}\s]|[\s(“—][“‘„«]\S|\S[”’»“‘«][\s\p{P}]|\s[–—]\s|[\p{L}\p{N}][–—][\p{L}\p{N}]|\S…\s|[\s\d][€£][\s\d.,;)]|[\s\d]°[\sCF]|[\s\p{L}][•·§©®™][\s\d]|[\s\d][µ±×][\s\d\p{L}]|[\s\d][½¼¾]\s)$/u;
const alphabets = [/\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Hebrew}/u, /\p{sc=Arabic}/u];
/** So many characters say enough. */
const rated = 2_000;

/**
 * Rates the likelihood that a text was decoded as it should be: letters of one alphabet in a word, capitals only at
 * its beginning, signs only between words.
 */
export function rateText(text: string): number {
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
export function rateIdeographs(text: string): number {
  const characters = text.slice(0, rated).match(/[^\0-\x7f]/gu) ?? [];
  const hangul = characters.filter((character) => /[\uac00-\ud7a3]/.test(character)).length;
  const usual = characters.filter((character) =>
    /[\u3001\u3002\uff0c\u3040-\u30ff]/.test(character) || usualIdeographs.has(character)
  );
  // Korean hardly has others between its own.
  return Math.max(usual.length, hangul * 10 < characters.length * 9 ? 0 : hangul) / characters.length;
}
