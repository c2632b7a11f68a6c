import type { MailTexts } from "./en.ts";

/** The texts of mails in French. */
export const texts: MailTexts = {
  human: {
    subject: { one: "{coach} : quelqu’un vous demande", other: "{coach} : {count} personnes vous demandent" },
    text: {
      one: "Une personne qui parle avec {coach} a demandé un humain et attend votre réponse.",
      other: "{count} personnes qui parlent avec {coach} ont demandé un humain et attendent votre réponse.",
    },
    question: "La question posée :",
    action: { one: "Ouvrir la conversation", other: "Ouvrir les conversations" },
  },
  digest: {
    subject: { one: "{coach} : {count} question vous attend", other: "{coach} : {count} questions vous attendent" },
    text: {
      one:
        "{coach} n’a pas su bien répondre à cette question. Votre réponse parviendra à toutes les personnes qui l’ont posée ou la poseront.",
      other:
        "{coach} n’a pas su bien répondre à ces questions. Vos réponses parviendront à toutes les personnes qui les ont posées ou les poseront.",
    },
    item: { one: "{question} ({count} personne)", other: "{question} ({count} personnes)" },
    more: { one: "et {count} autre", other: "et {count} autres" },
    action: "Répondre aux questions",
  },
  failure: {
    subject: {
      one: "{coach} : {count} fichier ou site n’a pas pu être lu",
      other: "{coach} : {count} fichiers ou sites n’ont pas pu être lus",
    },
    text:
      "{coach} ne peut pas utiliser leur contenu tant que le problème persiste. L’espace de travail indique la raison de chaque échec.",
    more: { one: "et {count} autre", other: "et {count} autres" },
    action: "Ouvrir les fichiers",
  },
  budget: {
    subject: "{coach} : un budget est épuisé",
    text: {
      account:
        "Le budget de l’ensemble du compte est épuisé. Jusqu’à son renouvellement, {coach} ne donne que les réponses que vous avez écrites.",
      key:
        "Le budget d’une application est épuisé. Jusqu’à son renouvellement, {coach} n’y donne que les réponses que vous avez écrites.",
      coach:
        "Le budget de {coach} est épuisé. Jusqu’à son renouvellement, {coach} ne donne que les réponses que vous avez écrites.",
    },
    renewed: "Il sera renouvelé le {date}.",
    notRenewed: "Il n’est pas renouvelé automatiquement.",
    action: "Voir l’utilisation",
  },
  invitation: {
    subject: "Vous êtes invité à travailler avec {coach}",
    ownSubject: "Vous êtes invité à créer une persona",
    text: {
      owner:
        "Vous êtes invité à devenir propriétaire de {coach} : vous pourrez répondre aux questions, ajouter des connaissances, publier des modifications et inviter d’autres personnes.",
      editor:
        "Vous êtes invité à travailler avec {coach} : vous pourrez répondre aux questions et ajouter des connaissances.",
      answerer:
        "Vous êtes invité à travailler avec {coach} : vous pourrez répondre aux questions et reprendre des conversations.",
    },
    ownText: "Vous êtes invité à créer une persona qui répond aux questions avec vos connaissances.",
    valid: "L’invitation est valable une seule fois, jusqu’au {date}.",
    action: "Accepter l’invitation",
  },
  answered: {
    subject: "{coach} : votre question a reçu une réponse",
    text: "La personne derrière {coach} vous a répondu. Vous trouverez la réponse dans votre conversation.",
    action: "Lire la réponse",
    private:
      "Pendant 30 jours, ce lien ouvre votre question et cette réponse dans n’importe quel navigateur. Toute personne qui l’a peut lire les deux.",
  },
  confirmation: {
    subject: "Confirmez votre adresse e-mail",
    text: "Ouvrez ce lien pour être informé par e-mail lorsque la personne derrière une persona vous a répondu.",
    ignore: "Si vous n’avez rien demandé, ignorez cet e-mail. Sans ce lien, vous n’en recevrez pas d’autre.",
    action: "Confirmer l’adresse",
    notMe: "Ce n’est pas moi : ne plus rien m’envoyer",
  },
  footer: {
    expert: "Vous recevez cet e-mail parce que vous faites partie de l’équipe de {coach}.",
    user: "Vous recevez cet e-mail parce que vous avez demandé à être informé des réponses.",
    unsubscribe: "Se désabonner",
    settings: "Paramètres des e-mails",
  },
};
