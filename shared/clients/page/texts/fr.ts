import * as english from "./en.ts";
import type { Wording } from "./wording.ts";

/** The texts of both pages. */
export const shared: Wording<typeof english.shared> = english.shared;

/** The texts of the chat. */
export const chat: Wording<typeof english.chat> = english.chat;

/** The texts of the desk, by panel. */
export const desk: Wording<typeof english.desk> = {
  answers: english.desk.answers,

  conversations: english.desk.conversations,

  errors: english.desk.errors,

  files: english.desk.files,

  format: english.desk.format,

  frame: english.desk.frame,

  invitation: {
    accept: "Accepter",
    asRole: "Votre rôle : {role}.",
    confirmed: "Votre adresse e-mail est confirmée.",
    confirmEmail:
      "Veuillez ouvrir dans ce navigateur le lien de l’e-mail que nous vous avons envoyé. Votre invitation reste ici d’ici là.",
    createAccount: "Créer un compte",
    createHint: "Vous vous connecterez désormais avec cette adresse e-mail et ce mot de passe.",
    gone:
      "Cette invitation n’est plus valable. Elle a déjà servi, a été annulée ou a expiré. Veuillez en demander une nouvelle.",
    goOn: "Continuer",
    haveAccount: "J’ai déjà un compte",
    keepOut: "Refuser",
    make: "Créer la persona",
    name: "Nom de la persona",
    nameHint: "En général, votre propre nom.",
    ownHint:
      "Elle s’appuie sur vos fichiers et vos réponses. Personne ne peut lui parler avant que vous ne la publiiez, et vous pourrez tout modifier plus tard.",
    profession: "Profession",
    professionHint: "Une ligne sous le nom, par exemple « Spécialiste du sommeil ».",
    signedInAs: "Vous êtes connecté avec {email}.",
    signInFirst: "Pour l’accepter, connectez-vous ou créez un compte.",
    signInOnly: "Pour l’accepter, connectez-vous.",
    title: "Vous êtes invité",
    toOwn: "Vous êtes invité à créer votre propre persona.",
    toTeam: "Vous êtes invité à rejoindre l’équipe de {name}.",
    unknown: "Quelqu’un vous invite à participer. Vous verrez à quoi une fois connecté.",
    useAnother: "Utiliser un autre compte",
    validUntil: "Valable jusqu’au {date}.",
    welcome: "Bienvenue dans l’équipe de {name}.",
  },

  notices: {
    address: "Les e-mails sont envoyés à {email}.",
    allow: "Afficher les notifications",
    asksForHuman: "Quelqu’un demande à parler à un humain",
    asksForHumanHint: "envoyé immédiatement",
    atHour: "À",
    blocked: "Ce navigateur bloque les notifications de ce site. Vous pouvez les autoriser dans ses réglages.",
    browser: "Dans ce navigateur",
    browserHint:
      "Quand quelqu’un demande à parler à un humain ou qu’une question s’ouvre, tant que cette page est ouverte dans un onglet. Sans son, et sans rien de ce que quelqu’un a écrit.",
    budget: "Un budget est presque ou entièrement épuisé",
    byEmail: "Par e-mail",
    digest: "Résumé de ce qui attend",
    digestDaily: "Tous les jours",
    digestOff: "Jamais",
    digestWeekly: "Une fois par semaine",
    failures: "Un fichier ou un site web ne peut pas être lu",
    language: "Langue des e-mails",
    newQuestion: "Il y a une nouvelle question pour {name}.",
    noAddress: "Votre compte n’a pas d’adresse e-mail confirmée ; rien n’est donc envoyé.",
    onDay: "Le",
    otherZone:
      "Le résumé suit actuellement l’heure de {zone}. En enregistrant, il suivra {browser}, le fuseau horaire de ce navigateur.",
    refused:
      "Les e-mails envoyés à {email} nous sont revenus ; nous n’en envoyons donc plus. Veuillez vérifier l’adresse de votre compte, puis enregistrer pour réessayer.",
    save: "Enregistrer",
    saved: "Enregistré.",
    somebodyWaits: "Quelqu’un souhaite parler à {name} en personne.",
    stop: "Ne plus afficher",
    title: "Notifications",
    unavailable:
      "Ce service ne peut pas encore envoyer d’e-mails : son exploitant doit définir SMTP_URL et MAIL_FROM. Vos choix s’appliqueront dès qu’il le pourra.",
    unsupported: "Ce navigateur ne peut pas afficher de notifications ici.",
    zone: "Les heures sont celles de {zone}, le fuseau horaire de ce navigateur.",
  },

  overview: {
    answersByOthers: {
      one: "{count} réponse de vos collègues",
      many: "{count} de réponses de vos collègues",
      other: "{count} réponses de vos collègues",
    },
    changed: "Depuis votre dernière visite",
    conversations: {
      one: "{count} conversation avec de nouveaux messages",
      many: "{count} de conversations avec de nouveaux messages",
      other: "{count} conversations avec de nouveaux messages",
    },
    filesAdded: {
      one: "{count} nouveau fichier",
      many: "{count} de nouveaux fichiers",
      other: "{count} nouveaux fichiers",
    },
    filesFailed: {
      one: "{count} fichier ne peut pas être lu",
      many: "{count} de fichiers ne peuvent pas être lus",
      other: "{count} fichiers ne peuvent pas être lus",
    },
    lastVisit: "Votre dernière visite : {time}",
    nothingChanged: "Rien n’a changé.",
    nothingWaits: "Rien ne vous attend.",
    openQuestions: {
      one: "{count} question ouverte",
      many: "{count} de questions ouvertes",
      other: "{count} questions ouvertes",
    },
    published: "La version {version} a été publiée.",
    publishedBy: "{email} a publié la version {version}.",
    questions: {
      one: "{count} nouvelle question",
      many: "{count} de nouvelles questions",
      other: "{count} nouvelles questions",
    },
    quiet: "Personne n’a parlé à {name} ces deux dernières semaines.",
    sourcesFailed: {
      one: "{count} site web ne peut pas être lu",
      many: "{count} de sites web ne peuvent pas être lus",
      other: "{count} sites web ne peuvent pas être lus",
    },
    stepConversation: "Avoir la première conversation",
    stepConversationHint: "Posez-lui une question sur la page de discussion, comme le feront les gens.",
    stepDone: "Fait",
    stepFiles: "Ajouter ce qu’elle doit savoir",
    stepFilesHint: "Vos fichiers ou votre site web. Les réponses les citent.",
    stepPersona: "Décrire la persona",
    stepPersonaHint: "Comment elle accueille les gens, comment elle parle et ce qu’elle ne fait pas.",
    stepPublish: "La publier",
    stepPublishByOwner: "Seul un propriétaire peut le faire. D’ici là, personne ne peut lui parler.",
    stepPublishHint: "D’ici là, personne ne peut lui parler.",
    steps: "Premiers pas",
    stepsDone: "{done} sur {all} terminés",
    stepTests: "Enregistrer une question comme test",
    stepTestsHint: "Les tests montrent ce qu’une modification ultérieure casserait.",
    stepTry: "Essayer une question",
    stepTryHint: "Voyez ce qu’elle répond avant tout le monde.",
    testsFailing: {
      one: "{count} test échoue",
      many: "{count} de tests échouent",
      other: "{count} tests échouent",
    },
    thumbsDown: {
      one: "{count} pouce vers le bas",
      many: "{count} de pouces vers le bas",
      other: "{count} pouces vers le bas",
    },
    title: "Aperçu",
    trouble: "Demande votre attention",
    waiting: "Vous attend",
    waitingPeople: {
      one: "{count} personne attend votre réponse",
      many: "{count} de personnes attendent votre réponse",
      other: "{count} personnes attendent votre réponse",
    },
    week: "Les 7 derniers jours",
    weekAnswers: "Réponses",
    weekBad: "Pouces vers le bas",
    weekBefore: "{number} la semaine précédente",
    weekGood: "Pouces vers le haut",
    weekNotKnown: "Ne savait pas",
    weekOwnWords: "Avec vos propres mots",
    weekPeople: "Personnes",
  },

  parts: english.desk.parts,

  persona: {},

  questions: english.desk.questions,

  team: {
    answerer: "Répondant",
    answererHint:
      "Répond aux questions et participe aux conversations. Peut lire les fichiers et les tests, sans les modifier.",
    answers:
      "Vous pouvez modifier les réponses aux questions ouvertes. Un éditeur ou un propriétaire peut écrire, modifier et importer toutes les autres.",
    changed: "Le rôle a été modifié.",
    colleagues: "Collègues",
    copied: "Copié.",
    copy: "Copier le lien",
    editor: "Éditeur",
    editorHint:
      "Modifie aussi les fichiers, les sites web, les tests, les réponses fixes et le brouillon de la persona.",
    email: "E-mail (facultatif)",
    emailHint: "Nous y envoyons aussi le lien.",
    files: "Un éditeur ou un propriétaire peut ajouter et supprimer des fichiers et des sites web.",
    forAddress: "Pour {email}",
    forLink: "Par lien",
    invitations: "Invitations ouvertes",
    invite: "Inviter un collègue",
    lastOwner: "Vous êtes le seul propriétaire. Nommez d’abord un autre propriétaire.",
    leave: "Quitter l’équipe",
    leaveQuestion: "Quitter l’équipe de {name} ? Seul un propriétaire pourra vous inviter de nouveau.",
    link: "Lien de l’invitation",
    linkHint:
      "Envoyez-le à une seule personne. Il fonctionne une fois, pendant 7 jours, et n’est affiché que maintenant.",
    mailed: "Il est aussi en route vers {email}.",
    makeLink: "Créer une invitation",
    noInvitations: "Aucune invitation n’est ouverte.",
    noMail: "Ce service ne peut pas encore envoyer d’e-mails. Veuillez envoyer le lien vous-même.",
    notPublished: "non publique",
    onlyOwners: "Les propriétaires peuvent inviter des collègues et changer les rôles.",
    owner: "Propriétaire",
    ownerHint: "Peut tout faire : publie aussi la persona et gère l’équipe.",
    remove: "Retirer",
    removed: "{email} ne fait plus partie de l’équipe.",
    removeQuestion: "Retirer {email} de l’équipe ? Ses réponses sont conservées.",
    revoke: "Annuler l’invitation",
    revoked: "Invitation annulée. Le lien ne fonctionne plus.",
    revokeQuestion: "Annuler cette invitation ?",
    role: "Rôle",
    roleOf: "Rôle de {email}",
    since: "depuis le {date}",
    tests: "Un éditeur ou un propriétaire peut écrire et lancer des tests.",
    title: "Équipe",
    validUntil: "valable jusqu’au {date}",
    you: "vous",
    youAreOut: "Vous ne faites plus partie de l’équipe de {name}.",
    youAreOutHint: "Un propriétaire peut vous inviter de nouveau. Vos réponses sont conservées.",
  },

  tests: english.desk.tests,

  try: english.desk.try,

  usage: english.desk.usage,
};
