import type { MailTexts } from "./en.ts";

/** The texts of mails in Spanish. */
export const texts: MailTexts = {
  human: {
    subject: { one: "{coach}: alguien pregunta por usted", other: "{coach}: {count} personas preguntan por usted" },
    text: {
      one: "Una persona que habla con {coach} ha pedido hablar con un humano y espera su respuesta.",
      other: "{count} personas que hablan con {coach} han pedido hablar con un humano y esperan su respuesta.",
    },
    question: "La pregunta:",
    action: { one: "Abrir la conversación", other: "Abrir las conversaciones" },
  },
  digest: {
    subject: {
      one: "{coach}: {count} pregunta espera su respuesta",
      other: "{coach}: {count} preguntas esperan su respuesta",
    },
    text: {
      one:
        "{coach} no supo responder bien a esta pregunta. Su respuesta llegará a quienes la han hecho y a quienes la hagan más adelante.",
      other:
        "{coach} no supo responder bien a estas preguntas. Sus respuestas llegarán a quienes las han hecho y a quienes las hagan más adelante.",
    },
    item: { one: "{question} ({count} persona)", other: "{question} ({count} personas)" },
    more: { one: "y {count} más", other: "y {count} más" },
    action: "Responder preguntas",
  },
  failure: {
    subject: {
      one: "{coach}: no se pudo leer {count} archivo o sitio web",
      other: "{coach}: no se pudieron leer {count} archivos o sitios web",
    },
    text: "{coach} no puede usar su contenido hasta que se resuelva. El panel indica el motivo en cada caso.",
    more: { one: "y {count} más", other: "y {count} más" },
    action: "Abrir los archivos",
  },
  budget: {
    subject: "{coach}: se ha agotado un presupuesto",
    text: {
      account:
        "El presupuesto de toda la cuenta se ha agotado. Hasta que se renueve, {coach} solo da respuestas que usted ha escrito.",
      key:
        "El presupuesto de una aplicación se ha agotado. Hasta que se renueve, {coach} solo da allí respuestas que usted ha escrito.",
      coach:
        "El presupuesto de {coach} se ha agotado. Hasta que se renueve, {coach} solo da respuestas que usted ha escrito.",
    },
    renewed: "Se renueva el {date}.",
    notRenewed: "No se renueva automáticamente.",
    action: "Ver el uso",
  },
  invitation: {
    subject: "Invitación para trabajar con {coach}",
    ownSubject: "Invitación para crear una persona virtual",
    text: {
      owner:
        "Le invitamos a ser propietario de {coach}: podrá responder preguntas, añadir conocimientos, publicar cambios e invitar a otras personas.",
      editor: "Le invitamos a trabajar con {coach}: podrá responder preguntas y añadir conocimientos.",
      answerer: "Le invitamos a trabajar con {coach}: podrá responder preguntas y hacerse cargo de conversaciones.",
    },
    ownText: "Le invitamos a crear una persona virtual que responda preguntas con sus conocimientos.",
    valid: "La invitación sirve una sola vez, hasta el {date}.",
    action: "Aceptar la invitación",
  },
  answered: {
    subject: "{coach}: su pregunta tiene respuesta",
    text: "La persona que está detrás de {coach} le ha respondido. Encontrará la respuesta en su conversación.",
    action: "Leer la respuesta",
    private:
      "Durante 30 días, el enlace abre su pregunta y esta respuesta en cualquier navegador. Quien lo tenga puede leer ambas.",
  },
  confirmation: {
    subject: "Confirme su dirección de correo",
    text: "Abra este enlace para recibir un correo cuando le responda la persona que está detrás del asistente.",
    ignore: "Si no lo ha solicitado, ignore este correo. Sin el enlace no recibirá ningún otro.",
    action: "Confirmar la dirección",
    notMe: "No he sido yo: no me envíen nada más",
  },
  footer: {
    expert: "Recibe este correo porque forma parte del equipo de {coach}.",
    user: "Recibe este correo porque pidió que le avisáramos de las respuestas.",
    unsubscribe: "Cancelar la suscripción",
    settings: "Ajustes de correo",
  },
};
