import type { MailTexts } from "./en.ts";

/** The texts of mails in German. */
export const texts: MailTexts = {
  human: {
    subject: {
      one: "{coach}: Jemand möchte mit Ihnen sprechen",
      other: "{coach}: {count} Personen möchten mit Ihnen sprechen",
    },
    text: {
      one: "Jemand, der mit {coach} spricht, hat nach einem Menschen gefragt und wartet auf Ihre Antwort.",
      other:
        "{count} Personen, die mit {coach} sprechen, haben nach einem Menschen gefragt und warten auf Ihre Antwort.",
    },
    question: "Die Frage lautet:",
    action: { one: "Unterhaltung öffnen", other: "Unterhaltungen öffnen" },
  },
  digest: {
    subject: { one: "{coach}: {count} Frage wartet auf Sie", other: "{coach}: {count} Fragen warten auf Sie" },
    text: {
      one:
        "{coach} konnte diese Frage nicht gut beantworten. Ihre Antwort erhalten alle, die gefragt haben oder später fragen.",
      other:
        "{coach} konnte diese Fragen nicht gut beantworten. Ihre Antworten erhalten alle, die gefragt haben oder später fragen.",
    },
    item: { one: "{question} ({count} Person)", other: "{question} ({count} Personen)" },
    more: { one: "und {count} weitere", other: "und {count} weitere" },
    action: "Fragen beantworten",
  },
  failure: {
    subject: {
      one: "{coach}: {count} Datei oder Website konnte nicht gelesen werden",
      other: "{coach}: {count} Dateien oder Websites konnten nicht gelesen werden",
    },
    text: "{coach} kann die Inhalte nicht nutzen, bis das behoben ist. Im Arbeitsbereich steht jeweils der Grund.",
    more: { one: "und {count} weitere", other: "und {count} weitere" },
    action: "Dateien öffnen",
  },
  budget: {
    subject: "{coach}: Ein Budget ist aufgebraucht",
    text: {
      account:
        "Das Budget des gesamten Kontos ist aufgebraucht. Bis es erneuert wird, gibt {coach} nur Antworten, die Sie selbst geschrieben haben.",
      key:
        "Das Budget einer Anwendung ist aufgebraucht. Bis es erneuert wird, gibt {coach} dort nur Antworten, die Sie selbst geschrieben haben.",
      coach:
        "Das Budget von {coach} ist aufgebraucht. Bis es erneuert wird, gibt {coach} nur Antworten, die Sie selbst geschrieben haben.",
    },
    renewed: "Es wird am {date} erneuert.",
    notRenewed: "Es wird nicht automatisch erneuert.",
    action: "Nutzung ansehen",
  },
  invitation: {
    subject: "Einladung zur Mitarbeit an {coach}",
    ownSubject: "Einladung, eine Persona zu erstellen",
    text: {
      owner:
        "Sie sind eingeladen, {coach} mit zu verantworten: Sie können Fragen beantworten, Wissen hinzufügen, Änderungen veröffentlichen und andere einladen.",
      editor: "Sie sind eingeladen, an {coach} mitzuarbeiten: Sie können Fragen beantworten und Wissen hinzufügen.",
      answerer:
        "Sie sind eingeladen, an {coach} mitzuarbeiten: Sie können Fragen beantworten und Unterhaltungen übernehmen.",
    },
    ownText: "Sie sind eingeladen, eine Persona zu erstellen, die Fragen mit Ihrem Wissen beantwortet.",
    valid: "Die Einladung gilt einmal, bis zum {date}.",
    action: "Einladung annehmen",
  },
  answered: {
    subject: "{coach}: Ihre Frage wurde beantwortet",
    text: "Der Mensch hinter {coach} hat Ihnen geantwortet. Sie finden die Antwort in Ihrer Unterhaltung.",
    action: "Antwort lesen",
    private:
      "Der Link öffnet Ihre Frage und diese Antwort 30 Tage lang in jedem Browser. Wer ihn hat, kann beides lesen.",
  },
  confirmation: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    text:
      "Öffnen Sie diesen Link, um per E-Mail zu erfahren, wenn der Mensch hinter einer Persona Ihnen geantwortet hat.",
    ignore:
      "Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Link erhalten Sie keine weitere.",
    action: "Adresse bestätigen",
    notMe: "Das war ich nicht: nichts mehr an mich senden",
  },
  footer: {
    expert: "Sie erhalten diese E-Mail, weil Sie {coach} betreuen.",
    user: "Sie erhalten diese E-Mail, weil Sie über Antworten benachrichtigt werden möchten.",
    unsubscribe: "Abbestellen",
    settings: "E-Mail-Einstellungen",
  },
};
