/** Values of different kinds are never compared. */
export type ValueKind = "price" | "date" | "time" | "number";

/** A value that a statement names, such as 25–30 g. */
export type Value = {
  kind: ValueKind;
  /** The unit or, without one, the word that is counted: only values with the same label are compared. */
  label: string;
  /** All that it may mean, since 1.000 may be one or a thousand: numbers from and to, or the parts of a date. */
  readings: (readonly [number, number])[] | string[];
  /** True for a number after a name, which may be a part of it, such as Windows 11. */
  mayBeName?: boolean;
};

/** A text as it is compared: in lower case, with plain letters and digits. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/\p{M}+/gu, "").replace(/[ـ]/g, "")
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)).replace(/[‐‑]/g, "-").replace(/[’ʼ]/g, "'");
}

const languages = ["en", "de", "fr", "es", "pt", "ar"];

/** The names of months or days of the week in six languages, with their numbers. */
function listNames(options: Intl.DateTimeFormatOptions, times: number[]): Map<string, number> {
  return new Map(languages.flatMap((language) => {
    // A new one takes more time than all of its names.
    const { format } = new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
    return times.map((time, index) => [fold(format(time)), index] as const);
  }));
}
const months = listNames({ month: "long" }, Array.from({ length: 12 }, (_, index) => Date.UTC(2024, index, 15)));
// The first of January 2024 was a Monday.
const days = Array.from({ length: 7 }, (_, index) => Date.UTC(2024, 0, index + 1));
const weekdays = listNames({ weekday: "long" }, days);

/** Units of one dimension are compared in its smallest: [dimension, factor, names]. */
const units = new Map(([
  ["mass", 1e-6, "µg μg mcg ug"],
  ["mass", 1e-3, "mg milligram milligrams milligramm milligrammes miligramos miligramas"],
  ["mass", 1, "g gr gram grams gramm gramme grammes gramo gramos grama gramas غرام جرام غراما جراما"],
  ["mass", 1000, "kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos quilo quilos quilogramas كيلوغرام"],
  ["mass", 28.35, "oz ounce ounces"],
  ["mass", 453.6, "lb lbs pound pounds"],
  ["volume", 1, "ml milliliter milliliters millilitre millilitres mililitros"],
  ["volume", 10, "cl"],
  ["volume", 100, "dl"],
  ["volume", 1000, "l liter liters litre litres litern litro litros لتر"],
  ["length", 0.1, "mm"],
  ["length", 1, "cm"],
  ["length", 100, "m meter meters metre metres metern metro metros متر"],
  ["length", 100_000, "km"],
  ["duration", 1 / 60, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos ثانية"],
  ["duration", 1, "min mins minute minutes minuten minuto minutos دقيقة دقائق"],
  ["duration", 60, "h hr hrs hour hours std stunde stunden heure heures hora horas ساعة ساعات"],
  ["duration", 1440, "day days tag tage tagen jour jours dia dias يوم ايام أيام يوما"],
  ["duration", 10_080, "week weeks woche wochen semaine semaines semana semanas اسبوع أسبوع اسابيع أسابيع"],
  ["months", 1, "month months monat monate monaten mois mes meses شهر اشهر أشهر"],
  ["months", 12, "year years yr yrs jahr jahre jahren an ans annee annees año años ano anos سنة سنوات"],
  ["clock", 60, "uhr"],
  ["share", 1, "% percent prozent"],
  ["energy", 1, "kcal calories kalorien calorias"],
  ["energy", 0.239, "kj"],
  ["temperature", 1, "°c"],
] as [string, number, string][]).flatMap(([dimension, factor, names]) =>
  names.split(" ").map((name) => [fold(name), { dimension, factor }] as const)
));

const currencies = new Map(([
  ["eur", "€ eur euro euros"],
  ["usd", "$ us$ usd dollar dollars"],
  ["gbp", "£ gbp"],
  ["chf", "chf fr. franken"],
  ["brl", "r$ brl reais real"],
  ["aed", "aed درهم"],
  ["sar", "sar ريال"],
] as [string, string][]).flatMap(([currency, names]) =>
  names.split(" ").map((name) => [fold(name), currency] as const)
));

/** Small numbers that are usually written as words, but for words that mean something else in another language. */
const numberWords = new Map(([
  [2, "two zwei deux"],
  [3, "three drei trois tres"],
  [4, "four vier quatre cuatro quatro"],
  [5, "five funf cinq cinco"],
  [6, "six sechs seis"],
  [7, "seven sieben siete sete"],
  [8, "eight acht huit ocho oito"],
  [9, "nine neun nueve nove"],
  [10, "ten zehn dix diez dez"],
  [11, "eleven onze"],
  [12, "twelve zwolf douze doce doze"],
] as [number, string][]).flatMap(([number, words]) => words.split(" ").map((word) => [word, String(number)] as const)));

/** Words before a number that only names a place of a text, and words before a number that is a name. */
const placeWords =
  /^(?:pages?|seiten?|paginas?|section|sections|abschnitt|chapter|kapitel|chapitre|capitulo|fig|figure|table|tabelle|tableau|tabla|tabela|article|artikel|articulo|artigo|version|versions|step|schritt|etape|paso|passo|no|nr|para|paragraph|absatz|art|annex|appendix|anhang|item|part|teil|level|phase|day|week|tag|woche|clause|id|isbn|tel|phone|fax)$/;

const oneOf = (names: Iterable<string>) =>
  [...names].toSorted((one, other) => other.length - one.length).map((name) => name.replace(/[.$]/g, "\\$&")).join("|");
const number = String.raw`\d{1,3}(?:[ .,'\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?`;
const upto = String.raw`\s?(?:[-–—]|\bto\b|\bbis\b|\ba\b|\bate\b|\bhasta\b|الى)\s?`;
const month = oneOf(months.keys());
const currency = oneOf(currencies.keys());

const dayFirst = new RegExp(
  String.raw`(?<![\d.])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s(?:of |de )?(${month})(?!\p{L})(?:,?\s(?:de )?(\d{4}))?`,
  "gu",
);
const monthFirst = new RegExp(String.raw`(?<!\p{L})(${month})\s(\d{1,2})(?:st|nd|rd|th)?(?!\d)(?:,?\s(\d{4}))?`, "gu");
const monthAlone = new RegExp(String.raw`(?<!\p{L})(${month}),?\s(?:de )?(\d{4})(?!\d)`, "gu");
const isoDate = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
const dottedDate = /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?(\d{4}|\d{2}))?(?!\d)/g;
const slashedDate = /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g;
const clock = /(?<![\d.:])(\d{1,2})(?::(\d{2})(?::\d{2})?|h(\d{2}))?(?:\s?([ap])\.?m\b\.?)?(?![\d:])/g;
const price = new RegExp(
  String.raw`(?<!\p{L})(${currency})\s?(${number})(?:${upto}(?:${currency})?\s?(${number}))?|` +
    String
      .raw`(?<![\d.,])(${number})(?:,[-–—]+)?(?:\s?(?:${currency})?${upto}(${number}))?(?:,[-–—]+)?\s?(${currency})(?!\p{L})`,
  "gu",
);
const quantity = new RegExp(
  String.raw`(?<![\p{L}\d.,/#-])(${number})(?:${upto}(${number}))?(?:\s?(%|°c|\p{L}+))?`,
  "gu",
);
const weekday = new RegExp(String.raw`(?<!\p{L})(${oneOf(weekdays.keys())})s?(?!\p{L})`, "gu");

/** The numbers that a written one may mean. */
function readNumber(text: string): number[] {
  const bare = text.replace(/[ '\u00a0\u202f]/g, "");
  if (!/[.,]/.test(bare)) return [Number(bare)];
  const last = Math.max(bare.lastIndexOf("."), bare.lastIndexOf(","));
  const whole = Number(bare.replace(/[.,]/g, ""));
  const withFraction = Number(`${bare.slice(0, last).replace(/[.,]/g, "")}.${bare.slice(last + 1)}`);
  return bare.length - last === 4 ? [whole, withFraction] : [withFraction];
}

function readRange(from: string, to: string | undefined, factor = 1): [number, number][] {
  const ends = to === undefined ? null : readNumber(to);
  return readNumber(from).flatMap((low) =>
    (ends ?? [low]).map((high) => [low * factor, high * factor] as [number, number])
  );
}

const pad = (number: number | string) => String(number).padStart(2, "0");
const date = (year: string | undefined, month: number | string, day: number | string) =>
  `${year === undefined ? "" : year.length === 2 ? `20${year}` : year}-${pad(month)}-${day === "" ? "" : pad(day)}`;

/** The values of a text, and the folded text without them. */
export function readValues(text: string): { values: Value[]; rest: string } {
  const folded = fold(text);
  const names = new Set([...text.matchAll(/\p{Lu}\p{L}*\s\d+/gu)].map(([name]) => fold(name)));
  const values: Value[] = [];
  let rest = folded;
  /** Takes what matches out of the text, where it is a value. */
  function take(pattern: RegExp, read: (match: string[], before: string) => Value | null, keepsWord = false): void {
    rest = rest.replace(pattern, (...args) => {
      const end = args.findIndex((arg) => typeof arg === "number");
      const match = args.slice(0, end) as string[];
      const value = read(match, rest.slice(0, args[end] as number));
      if (value === null) return match[0]!;
      values.push(value);
      return keepsWord && !units.has(match[3] ?? "") ? ` ${match[3] ?? ""} ` : " ¤ ";
    });
  }
  const dated = (...readings: string[]): Value => ({ kind: "date", label: "date", readings });
  take(isoDate, ([, year, month, day]) => dated(date(year, month!, day!)));
  take(dottedDate, ([, day, month, year]) => Number(month) > 12 ? null : dated(date(year, month!, day!)));
  take(slashedDate, ([, one, other, year]) => dated(date(year, one!, other!), date(year, other!, one!)));
  take(dayFirst, ([, day, name, year]) => dated(date(year, months.get(name!)! + 1, day!)));
  take(monthFirst, ([, name, day, year]) => dated(date(year, months.get(name!)! + 1, day!)));
  take(monthAlone, ([, name, year]) => dated(date(year, months.get(name!)! + 1, "")));
  take(clock, ([, hour, minutes, frenchMinutes, half]) => {
    const minute = minutes ?? frenchMinutes;
    if (minute === undefined && half === undefined || Number(hour) > 24) return null;
    const noon = half === undefined ? 0 : Number(hour) === 12 ? (half === "a" ? -12 : 0) : half === "p" ? 12 : 0;
    const time = (Number(hour) + noon) * 60 + Number(minute ?? 0);
    return { kind: "time", label: "clock", readings: [[time, time]] };
  });
  take(price, ([, before, from, to, from2, to2, after]) => ({
    kind: "price",
    label: currencies.get((before ?? after)!)!,
    readings: readRange((from ?? from2)!, to ?? to2),
  }));
  rest = rest.replace(/\p{L}+/gu, (word) => numberWords.get(word) ?? word);
  take(quantity, ([, from, to, word], before) => {
    const unit = units.get(word ?? "");
    if (unit !== undefined) {
      const kind = unit.dimension === "clock" ? "time" : "number";
      return { kind, label: unit.dimension, readings: readRange(from!, to, unit.factor) };
    }
    const previous = /(\p{L}+)\W*$/u.exec(before)?.[1] ?? "";
    if (placeWords.test(previous)) return null;
    const digits = from!.replace(/\D/g, "").length;
    if (to === undefined && /^(?:19|20)\d\d$/.test(from!)) return { kind: "date", label: "year", readings: [from!] };
    // A longer one is a telephone number, an account or a code.
    if (digits > 7) return null;
    const counted = word !== undefined && word.length >= 4 && !/^(?:through|until|from|with|oder)$/.test(word)
      ? word
      : null;
    if (counted === null && (previous.length < 4 || !/[:|=]\s*$/.test(before))) return null;
    return {
      kind: "number",
      label: counted === null ? `:${previous}` : `${counted.slice(0, 5)}:`,
      readings: readRange(from!, to),
      mayBeName: names.has(`${previous} ${from}`),
    };
  }, true);
  take(weekday, ([, name]) => ({ kind: "date", label: "weekday", readings: [String(weekdays.get(name!))] }));
  return { values, rest: rest.replace(/[\d¤]+/g, " ") };
}

/** Returns whether two values with one label may mean the same: a number within a range does, and so does a date without its year. */
export function mayAgree(one: Value, other: Value): boolean {
  return one.readings.some((a) =>
    other.readings.some((b) => {
      if (typeof a === "string" || typeof b === "string") {
        const [parts, others] = [String(a).split("-"), String(b).split("-")];
        return parts.every((part, index) => part === "" || (others[index] ?? "") === "" || part === others[index]);
      }
      const isWithin = (inner: readonly [number, number], outer: readonly [number, number]) =>
        outer[0] <= inner[0] * 1.01 && inner[1] <= outer[1] * 1.01 && inner[0] === inner[1] ||
        inner[0] === outer[0] && inner[1] === outer[1];
      return isWithin(a, b) || isWithin(b, a);
    })
  );
}
