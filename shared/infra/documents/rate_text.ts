/** Letters beyond ASCII that are common in a language. */
const common = new Set(
  "αειουνσςτρκλπμθγβδχηωάέήίόύώאבגדהוזחטיכלמנסעפצקרשתםןךףץابتثجحخدرزسشصضطعغفقكلمنهويةىإأؤئءğışİіїєґųįėēāīūģķļņ" +
    "čďěňřšťůžńśźżłąęćőűăâșțţşäöüßÄÖÜéèêëàâáãåçñíìîïóòôõúùûýøæœ¿¡«»“”„‘’–—…€°оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
);

const alphabets = [/\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /\p{sc=Hebrew}/u, /\p{sc=Arabic}/u];
/** So many characters say enough. */
const rated = 2_000;

/**
 * Rates the likelihood that a text was decoded as it should be: letters of one alphabet in a word, capitals only at
 * its beginning, signs only between words.
 */
export function rateText(text: string): number {
  let rate = 0;
  let before = " ";
  const first = text.search(/[^\0-\x7f]/);
  for (const character of text.slice(Math.max(0, first), first + rated)) {
    if (character > "\x7f" || before > "\x7f") rate += ratePair(before, character);
    before = character;
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
