/// <reference lib="dom" />
/** The languages of the pages. English is in their scripts; each other language is a script of its own. */
export const languages = ["en", "de", "fr", "es", "pt", "ar"] as const;
export type Language = typeof languages[number];

/** The language of a page. The locale, such as `de-AT`, is for dates, numbers and plurals. */
export type Speech = { language: Language; locale: string };

/** Chooses the language of a page: `wanted`, as the site has set it, or the first of the browser's that there is. */
export function chooseLanguage(wanted: string, accepted: readonly string[] = navigator.languages): Speech {
  for (const locale of [wanted, ...accepted]) {
    const language = languages.find((language) => language === locale.split("-")[0]!.toLowerCase());
    if (language && isLocale(locale)) return { language, locale };
    // A site in another language gets English.
    if (wanted) break;
  }
  return { language: "en", locale: "en" };
}

/** Returns the direction of writing of a language or locale, also of one that a site has brought its own texts for. */
export function directionOf(locale: string): "ltr" | "rtl" {
  return /^(?:ar|fa|he|ur)\b/.test(locale) ? "rtl" : "ltr";
}

/** Gives a page of its own the language of its element. `data-text` names the texts of the page itself. */
export function followLanguage(language: string, texts: Record<string, unknown>): void {
  const { documentElement: page } = document;
  if (page.dataset.language !== "follows") return;
  page.lang = language;
  page.dir = directionOf(language);
  for (const element of document.querySelectorAll<HTMLElement>("[data-text]")) {
    element.textContent = String(texts[element.dataset.text!] ?? element.textContent);
  }
}

/** Loads the texts of a language from the script next to the page's; null for English, and without such a script. */
export async function loadTexts<Texts>(
  script: "human-chat" | "human-desk" | "human-consent",
  language: Language,
): Promise<Texts | null> {
  if (language === "en") return null;
  try {
    return (await import(new URL(`${script}.${language}.js`, import.meta.url).href)).default;
  } catch {
    return null;
  }
}

/** A mistyped tag such as `de-` would make `Intl` throw. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
