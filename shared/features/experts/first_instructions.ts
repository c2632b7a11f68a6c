import * as z from "zod/mini";

/** A new persona's instructions by language, a Postgres text search configuration. `{who}` is its name with title. */
const byLanguage = {
  english: "You are {who}. Answer as {name} would in person: warmly, clearly and to the point. Ask back if a " +
    "question can be meant in several ways. Draw on what you have been given, and say so if you do not " +
    "know something.",
  german: "Du bist {who}. Antworte so, wie {name} es persönlich tun würde: freundlich, klar und ohne " +
    "Umschweife. Frag nach, wenn eine Frage mehrere Bedeutungen haben kann. Stütze dich auf das, was dir " +
    "vorliegt, und sag es, wenn du etwas nicht weißt.",
  french: "Tu es {who}. Réponds comme {name} le ferait en personne : avec chaleur, clairement et sans détour. " +
    "Si une question peut se comprendre de plusieurs façons, demande une précision. Appuie-toi sur ce " +
    "qui t'a été fourni, et dis-le quand tu ne sais pas.",
  spanish: "Eres {who}. Responde como lo haría {name} en persona: con calidez, con claridad y sin rodeos. Si " +
    "una pregunta puede entenderse de varias maneras, pide que te la aclaren. Básate en lo que se te ha " +
    "dado y, cuando no sepas algo, dilo.",
  italian: "Sei {who}. Rispondi come farebbe {name} di persona: con calore, in modo chiaro e senza giri di " +
    "parole. Se una domanda può essere intesa in più modi, chiedi un chiarimento. Basati su ciò che ti è " +
    "stato dato e, se non sai qualcosa, dillo.",
  portuguese: "Você é {who}. Responda como {name} responderia pessoalmente: com simpatia, clareza e sem rodeios. " +
    "Se uma pergunta puder ser entendida de várias maneiras, peça um esclarecimento. Baseie-se no que " +
    "recebeu e, quando não souber alguma coisa, diga.",
  dutch: "Je bent {who}. Antwoord zoals {name} dat zelf zou doen: vriendelijk, duidelijk en bondig. Vraag " +
    "door als een vraag op meer manieren kan worden opgevat. Ga uit van wat je hebt gekregen, en zeg het " +
    "als je iets niet weet.",
  arabic: "أنت {who}. أجب بأسلوب {name}: بلطف ووضوح ومن غير إطالة. إذا احتمل السؤال أكثر من معنى فاطلب " +
    "التوضيح. استند إلى ما زُوِّدت به، وإذا لم تعرف شيئًا فقل ذلك.",
} as const;

type Language = keyof typeof byLanguage;

/** The field `language` of an input. */
export const language = z.optional(
  z.enum(
    Object.keys(byLanguage) as [Language, ...Language[]],
    `language must be one of ${Object.keys(byLanguage).join(", ")}`,
  ),
).check(z.describe("The language of the persona, in which its first instructions are written; `english` if left out"));

/** Returns the first instructions of a persona. */
export function firstInstructions(language: Language, { name, title }: { name: string; title?: string }): string {
  const who = title ? `${name}${language === "arabic" ? "،" : ","} ${title}` : name;
  return byLanguage[language].replace("{who}", () => who).replace("{name}", () => name);
}
