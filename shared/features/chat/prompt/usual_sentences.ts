/** What a coach says where nothing else was written for it. */
export type UsualSentences = {
  /** That the coach does not know, and has passed the question on. */
  noAnswer: string;
  /** That the person behind the coach will answer: said by the service, neither by the model nor by that person. */
  takeoverNotice: string;
};

const english: UsualSentences = {
  noAnswer: "I do not know that, and I would rather not guess. I have passed your question on.",
  takeoverNotice: "Your message has arrived. The real person behind this coach will answer you.",
};

/** By the text search configurations of Postgres in which coaches state their language. */
const byLanguage = new Map<string, UsualSentences>(Object.entries({
  english,
  german: {
    noAnswer: "Das weiß ich nicht, und ich möchte nicht raten. Ich habe Ihre Frage weitergegeben.",
    takeoverNotice: "Ihre Nachricht ist angekommen. Die Person hinter diesem Coach antwortet Ihnen selbst.",
  },
  french: {
    noAnswer: "Je ne le sais pas et je préfère ne pas deviner. J'ai transmis votre question.",
    takeoverNotice: "Votre message est bien arrivé. La personne derrière ce coach vous répondra elle-même.",
  },
  spanish: {
    noAnswer: "No lo sé y prefiero no adivinar. He trasladado su pregunta.",
    takeoverNotice: "Su mensaje ha llegado. Le responderá la persona que está detrás de este coach.",
  },
  italian: {
    noAnswer: "Non lo so e preferisco non tirare a indovinare. Ho inoltrato la sua domanda.",
    takeoverNotice: "Il suo messaggio è arrivato. Le risponderà la persona dietro questo coach.",
  },
  portuguese: {
    noAnswer: "Não sei e prefiro não adivinhar. Encaminhei a sua pergunta.",
    takeoverNotice: "A sua mensagem chegou. A pessoa por trás deste coach vai responder.",
  },
  dutch: {
    noAnswer: "Dat weet ik niet en ik wil er niet naar raden. Ik heb uw vraag doorgegeven.",
    takeoverNotice: "Uw bericht is aangekomen. De persoon achter deze coach antwoordt u zelf.",
  },
}));

/** The sentences in the language of a coach, a text search configuration of Postgres; in English where there are none. */
export function usualSentences(language: string): UsualSentences {
  return byLanguage.get(language) ?? english;
}

/** What a person reads who asks while the expert has taken over. It is not stored. */
export function describeTakeover(coach: { takeoverNotice: string | null; language: string }): string {
  return coach.takeoverNotice ?? usualSentences(coach.language).takeoverNotice;
}
