import type { MailTexts } from "./en.ts";

/** The texts of mails in Brazilian Portuguese. */
export const texts: MailTexts = {
  human: {
    subject: { one: "{coach}: alguém quer falar com você", other: "{coach}: {count} pessoas querem falar com você" },
    text: {
      one: "Uma pessoa que conversa com {coach} pediu para falar com um humano e espera a sua resposta.",
      other: "{count} pessoas que conversam com {coach} pediram para falar com um humano e esperam a sua resposta.",
    },
    question: "A pergunta:",
    action: { one: "Abrir a conversa", other: "Abrir as conversas" },
  },
  digest: {
    subject: { one: "{coach}: {count} pergunta espera por você", other: "{coach}: {count} perguntas esperam por você" },
    text: {
      one:
        "{coach} não soube responder bem a esta pergunta. A sua resposta vai para todas as pessoas que a fizeram ou ainda vão fazer.",
      other:
        "{coach} não soube responder bem a estas perguntas. As suas respostas vão para todas as pessoas que as fizeram ou ainda vão fazer.",
    },
    item: { one: "{question} ({count} pessoa)", other: "{question} ({count} pessoas)" },
    more: { one: "e mais {count}", other: "e mais {count}" },
    action: "Responder perguntas",
  },
  failure: {
    subject: {
      one: "{coach}: não foi possível ler {count} arquivo ou site",
      other: "{coach}: não foi possível ler {count} arquivos ou sites",
    },
    text: "{coach} não pode usar o conteúdo até que isso seja resolvido. O painel mostra o motivo de cada falha.",
    more: { one: "e mais {count}", other: "e mais {count}" },
    action: "Abrir os arquivos",
  },
  budget: {
    subject: "{coach}: um orçamento se esgotou",
    text: {
      account:
        "O orçamento de toda a conta se esgotou. Até ser renovado, {coach} dá apenas respostas que você escreveu.",
      key:
        "O orçamento de um aplicativo se esgotou. Até ser renovado, {coach} dá ali apenas respostas que você escreveu.",
      coach: "O orçamento de {coach} se esgotou. Até ser renovado, {coach} dá apenas respostas que você escreveu.",
    },
    renewed: "Ele será renovado em {date}.",
    notRenewed: "Ele não é renovado automaticamente.",
    action: "Ver o uso",
  },
  invitation: {
    subject: "Convite para trabalhar com {coach}",
    ownSubject: "Convite para criar uma persona",
    text: {
      owner:
        "Você foi convidado para ser proprietário de {coach}: poderá responder perguntas, adicionar conhecimento, publicar alterações e convidar outras pessoas.",
      editor: "Você foi convidado para trabalhar com {coach}: poderá responder perguntas e adicionar conhecimento.",
      answerer: "Você foi convidado para trabalhar com {coach}: poderá responder perguntas e assumir conversas.",
    },
    ownText: "Você foi convidado para criar uma persona que responde perguntas com o seu conhecimento.",
    valid: "O convite vale uma única vez, até {date}.",
    action: "Aceitar o convite",
  },
  answered: {
    subject: "{coach}: a sua pergunta foi respondida",
    text: "A pessoa por trás de {coach} respondeu a você. A resposta está na sua conversa.",
    action: "Ler a resposta",
    private:
      "Durante 30 dias, o link abre sua pergunta e esta resposta em qualquer navegador. Quem o tiver pode ler as duas.",
  },
  confirmation: {
    subject: "Confirme o seu endereço de e-mail",
    text: "Abra este link para ser avisado por e-mail quando a pessoa por trás de uma persona responder a você.",
    ignore: "Se você não pediu isso, ignore este e-mail. Sem o link, você não receberá nenhum outro.",
    action: "Confirmar o endereço",
    notMe: "Não fui eu: não me enviem mais nada",
  },
  footer: {
    expert: "Você recebe este e-mail porque faz parte da equipe de {coach}.",
    user: "Você recebe este e-mail porque pediu para ser avisado das respostas.",
    unsubscribe: "Cancelar a inscrição",
    settings: "Configurações de e-mail",
  },
};
