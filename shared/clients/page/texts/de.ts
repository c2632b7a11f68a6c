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
    accept: "Annehmen",
    asRole: "Ihre Rolle: {role}.",
    confirmed: "Ihre E-Mail-Adresse ist bestätigt.",
    confirmEmail:
      "Bitte öffnen Sie in diesem Browser den Link in der E-Mail, die wir Ihnen geschickt haben. Ihre Einladung bleibt so lange hier gespeichert.",
    createAccount: "Konto anlegen",
    createHint: "Mit dieser E-Mail-Adresse und diesem Passwort melden Sie sich künftig an.",
    gone:
      "Diese Einladung gilt nicht mehr. Sie wurde bereits benutzt, zurückgezogen oder ist abgelaufen. Bitte lassen Sie sich eine neue schicken.",
    goOn: "Weiter",
    haveAccount: "Ich habe schon ein Konto",
    keepOut: "Ablehnen",
    make: "Persona anlegen",
    name: "Name der Persona",
    nameHint: "Meist Ihr eigener Name.",
    ownHint:
      "Sie beruht auf Ihren Dateien und Ihren Antworten. Niemand kann mit ihr sprechen, bevor Sie sie veröffentlichen, und Sie können später alles ändern.",
    profession: "Beruf",
    professionHint: "Eine Zeile unter dem Namen, zum Beispiel „Schlafberaterin“.",
    signedInAs: "Sie sind als {email} angemeldet.",
    signInFirst: "Bitte melden Sie sich an, um sie anzunehmen, oder legen Sie ein Konto an.",
    signInOnly: "Bitte melden Sie sich an, um sie anzunehmen.",
    title: "Sie sind eingeladen",
    toOwn: "Sie sind eingeladen, eine eigene Persona anzulegen.",
    toTeam: "Sie sind eingeladen, im Team von {name} mitzuarbeiten.",
    unknown: "Jemand hat Sie eingeladen mitzuarbeiten. Wozu genau, sehen Sie, sobald Sie angemeldet sind.",
    useAnother: "Anderes Konto verwenden",
    validUntil: "Gültig bis {date}.",
    welcome: "Willkommen im Team von {name}.",
  },

  notices: {
    address: "E-Mails gehen an {email}.",
    allow: "Benachrichtigungen zeigen",
    asksForHuman: "Jemand möchte mit einem Menschen sprechen",
    asksForHumanHint: "kommt sofort",
    atHour: "Um",
    blocked:
      "Dieser Browser blockiert Benachrichtigungen dieser Website. Sie können sie in seinen Einstellungen erlauben.",
    browser: "In diesem Browser",
    browserHint:
      "Wenn jemand mit einem Menschen sprechen möchte oder eine neue Frage offen ist, solange diese Seite in einem Tab geöffnet ist. Ohne Ton und ohne etwas, das jemand geschrieben hat.",
    budget: "Ein Budget ist fast oder ganz aufgebraucht",
    byEmail: "Per E-Mail",
    digest: "Übersicht über alles, was wartet",
    digestDaily: "Täglich",
    digestOff: "Nie",
    digestWeekly: "Wöchentlich",
    failures: "Eine Datei oder Website kann nicht gelesen werden",
    language: "Sprache der E-Mails",
    newQuestion: "Es gibt eine neue Frage für {name}.",
    noAddress: "Ihr Konto hat keine bestätigte E-Mail-Adresse, deshalb wird nichts verschickt.",
    onDay: "Am",
    otherZone:
      "Die Übersicht richtet sich zurzeit nach {zone}. Beim Speichern wird daraus {browser}, die Zeitzone dieses Browsers.",
    refused:
      "E-Mails an {email} kamen zurück, deshalb schicken wir keine mehr. Bitte prüfen Sie die Adresse Ihres Kontos, und speichern Sie dann, um es wieder zu versuchen.",
    save: "Speichern",
    saved: "Gespeichert.",
    somebodyWaits: "Jemand möchte mit {name} persönlich sprechen.",
    stop: "Keine Benachrichtigungen mehr",
    title: "Benachrichtigungen",
    unavailable:
      "Dieser Dienst kann noch keine E-Mails verschicken: Der Betreiber muss SMTP_URL und MAIL_FROM setzen. Ihre Auswahl gilt, sobald er es kann.",
    unsupported: "Dieser Browser kann hier keine Benachrichtigungen zeigen.",
    zone: "Zeiten gelten für {zone}, die Zeitzone dieses Browsers.",
  },

  overview: {
    answersByOthers: { one: "{count} Antwort von anderen im Team", other: "{count} Antworten von anderen im Team" },
    changed: "Seit Ihrem letzten Besuch",
    conversations: {
      one: "{count} Gespräch mit neuen Nachrichten",
      other: "{count} Gespräche mit neuen Nachrichten",
    },
    filesAdded: { one: "{count} neue Datei", other: "{count} neue Dateien" },
    filesFailed: {
      one: "{count} Datei kann nicht gelesen werden",
      other: "{count} Dateien können nicht gelesen werden",
    },
    lastVisit: "Ihr letzter Besuch: {time}",
    nothingChanged: "Nichts hat sich geändert.",
    nothingWaits: "Nichts wartet auf Sie.",
    openQuestions: { one: "{count} offene Frage", other: "{count} offene Fragen" },
    published: "Version {version} wurde veröffentlicht.",
    publishedBy: "{email} hat Version {version} veröffentlicht.",
    questions: { one: "{count} neue Frage", other: "{count} neue Fragen" },
    quiet: "In den letzten zwei Wochen hat niemand mit {name} gesprochen.",
    sourcesFailed: {
      one: "{count} Website kann nicht gelesen werden",
      other: "{count} Websites können nicht gelesen werden",
    },
    stepConversation: "Das erste Gespräch führen",
    stepConversationHint: "Fragen Sie sie etwas auf der Chat-Seite, wie es andere tun werden.",
    stepDone: "Erledigt",
    stepFiles: "Wissen hinzufügen",
    stepFilesHint: "Ihre Dateien oder Ihre Website. Antworten verweisen darauf.",
    stepPersona: "Die Persona beschreiben",
    stepPersonaHint: "Wie sie grüßt, wie sie spricht und was sie nicht tut.",
    stepPublish: "Veröffentlichen",
    stepPublishByOwner: "Das kann nur eine Inhaberin oder ein Inhaber. Bis dahin kann niemand mit ihr sprechen.",
    stepPublishHint: "Bis dahin kann niemand mit ihr sprechen.",
    steps: "Erste Schritte",
    stepsDone: "{done} von {all} erledigt",
    stepTests: "Eine Frage als Test speichern",
    stepTestsHint: "Tests zeigen, was eine spätere Änderung kaputt machen würde.",
    stepTry: "Eine Frage ausprobieren",
    stepTryHint: "Sehen Sie, was sie antwortet, bevor es andere sehen.",
    testsFailing: { one: "{count} Test schlägt fehl", other: "{count} Tests schlagen fehl" },
    thumbsDown: { one: "{count} Daumen nach unten", other: "{count} Daumen nach unten" },
    title: "Überblick",
    trouble: "Braucht Ihre Aufmerksamkeit",
    waiting: "Wartet auf Sie",
    waitingPeople: {
      one: "{count} Person wartet auf Ihre Antwort",
      other: "{count} Personen warten auf Ihre Antwort",
    },
    week: "Die letzten 7 Tage",
    weekAnswers: "Antworten",
    weekBad: "Daumen nach unten",
    weekBefore: "{number} in der Woche davor",
    weekGood: "Daumen nach oben",
    weekNotKnown: "Nicht gewusst",
    weekOwnWords: "In Ihren Worten",
    weekPeople: "Personen",
  },

  parts: english.desk.parts,

  persona: {},

  questions: english.desk.questions,

  team: {
    answerer: "Antworten",
    answererHint: "Beantwortet Fragen und nimmt an Gesprächen teil. Kann Dateien und Tests lesen, aber nicht ändern.",
    answers:
      "Antworten auf offene Fragen können Sie ändern. Alle anderen schreiben, ändern und importieren kann, wer die Rolle „Bearbeiten“ oder „Inhaber“ hat.",
    changed: "Die Rolle wurde geändert.",
    colleagues: "Kolleginnen und Kollegen",
    copied: "Kopiert.",
    copy: "Link kopieren",
    editor: "Bearbeiten",
    editorHint: "Ändert außerdem Dateien, Websites, Tests, feste Antworten und den Entwurf der Persona.",
    email: "E-Mail (freiwillig)",
    emailHint: "Wir schicken den Link auch dorthin.",
    files: "Dateien und Websites hinzufügen und löschen kann, wer die Rolle „Bearbeiten“ oder „Inhaber“ hat.",
    forAddress: "Für {email}",
    forLink: "Per Link",
    invitations: "Offene Einladungen",
    invite: "Jemanden einladen",
    lastOwner: "Nur Sie haben die Rolle „Inhaber“. Geben Sie sie zuerst noch jemandem.",
    leave: "Team verlassen",
    leaveQuestion: "Das Team von {name} verlassen? Nur ein Inhaber kann Sie wieder einladen.",
    link: "Link der Einladung",
    linkHint: "Schicken Sie ihn einer Person. Er gilt einmal, 7 Tage lang, und wird nur jetzt gezeigt.",
    mailed: "Er ist auch unterwegs an {email}.",
    makeLink: "Einladung erstellen",
    noInvitations: "Keine Einladung ist offen.",
    noMail: "Dieser Dienst kann noch keine E-Mails verschicken. Bitte schicken Sie den Link selbst.",
    notPublished: "nicht öffentlich",
    onlyOwners: "Nur wer die Rolle „Inhaber“ hat, kann einladen und Rollen ändern.",
    owner: "Inhaber",
    ownerHint: "Darf alles: veröffentlicht auch die Persona und verwaltet das Team.",
    remove: "Entfernen",
    removed: "{email} gehört nicht mehr zum Team.",
    removeQuestion: "{email} aus dem Team entfernen? Die Antworten bleiben erhalten.",
    revoke: "Zurückziehen",
    revoked: "Zurückgezogen. Der Link gilt nicht mehr.",
    revokeQuestion: "Diese Einladung zurückziehen?",
    role: "Rolle",
    roleOf: "Rolle von {email}",
    since: "seit {date}",
    tests: "Tests schreiben und ausführen kann, wer die Rolle „Bearbeiten“ oder „Inhaber“ hat.",
    title: "Team",
    validUntil: "gültig bis {date}",
    you: "Sie",
    youAreOut: "Sie gehören nicht mehr zum Team von {name}.",
    youAreOutHint: "Wer die Rolle „Inhaber“ hat, kann Sie wieder einladen. Ihre Antworten bleiben erhalten.",
  },

  tests: english.desk.tests,

  try: english.desk.try,

  usage: english.desk.usage,
};
