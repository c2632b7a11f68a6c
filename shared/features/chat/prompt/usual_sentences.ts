/** Default sentences, for coaches without their own. */
export type UsualSentences = {
  /** Says that the coach does not know, and has passed the question on. */
  noAnswer: string;
  /** Says that the person behind the coach will answer. It is of the service, not of the model or that person. */
  takeoverNotice: string;
};

const english: UsualSentences = {
  noAnswer: "I do not know that, and I would rather not guess. I have passed your question on.",
  takeoverNotice: "Your message has arrived. You will get an answer in person.",
};

/** Sentences by language: the Postgres text search configuration of a coach. */
const byLanguage = new Map<string, UsualSentences>(Object.entries({
  english,
  german: {
    noAnswer: "Das weiß ich nicht, und ich möchte nicht raten. Ich habe Ihre Frage weitergegeben.",
    takeoverNotice: "Ihre Nachricht ist angekommen. Sie bekommen persönlich Antwort.",
  },
  french: {
    noAnswer: "Je ne le sais pas et je préfère ne pas deviner. J'ai transmis votre question.",
    takeoverNotice: "Votre message est bien arrivé. On vous répondra en personne.",
  },
  spanish: {
    noAnswer: "No lo sé y prefiero no adivinar. He trasladado su pregunta.",
    takeoverNotice: "Su mensaje ha llegado. Le responderán en persona.",
  },
  italian: {
    noAnswer: "Non lo so e preferisco non tirare a indovinare. Ho inoltrato la sua domanda.",
    takeoverNotice: "Il suo messaggio è arrivato. Riceverà una risposta di persona.",
  },
  portuguese: {
    noAnswer: "Não sei e prefiro não adivinhar. Encaminhei a sua pergunta.",
    takeoverNotice: "A sua mensagem chegou. Você vai receber uma resposta pessoal.",
  },
  dutch: {
    noAnswer: "Dat weet ik niet en ik wil er niet naar raden. Ik heb uw vraag doorgegeven.",
    takeoverNotice: "Uw bericht is aangekomen. U krijgt persoonlijk antwoord.",
  },
  arabic: {
    noAnswer: "لا أعرف ذلك، ولا أريد أن أخمّن. لقد نقلت سؤالك.",
    takeoverNotice: "وصلت رسالتك. سيأتيك رد شخصي.",
  },
}));

/** Returns the sentences in the language of a coach, a Postgres text search configuration. Falls back to English. */
export function usualSentences(language: string): UsualSentences {
  return byLanguage.get(language) ?? english;
}

const notices = new Set([...byLanguage.values()].map(({ takeoverNotice }) => takeoverNotice));

/** Returns whether a text is the default notice of a takeover, in any language. */
export function isUsualNotice(text: string): boolean {
  return notices.has(text.trim());
}

/** Returns the notice shown to someone who asks during a takeover. It is not stored. */
export function describeTakeover(coach: { takeoverNotice: string | null; language: string }): string {
  return coach.takeoverNotice ?? usualSentences(coach.language).takeoverNotice;
}
