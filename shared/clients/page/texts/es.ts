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
    accept: "Aceptar",
    asRole: "Su función: {role}.",
    confirmed: "Su correo electrónico está confirmado.",
    confirmEmail:
      "Abra en este navegador el enlace del correo que le hemos enviado. Su invitación se guarda aquí hasta entonces.",
    createAccount: "Crear una cuenta",
    createHint: "A partir de ahora iniciará sesión con este correo electrónico y esta contraseña.",
    gone: "Esta invitación ya no es válida. Se ha utilizado, se ha anulado o ha caducado. Pida una nueva.",
    goOn: "Continuar",
    haveAccount: "Ya tengo una cuenta",
    keepOut: "Rechazar",
    make: "Crear la persona",
    name: "Nombre de la persona",
    nameHint: "Normalmente, su propio nombre.",
    ownHint:
      "Se basa en sus archivos y sus respuestas. Nadie puede hablar con ella antes de que usted la publique, y podrá cambiarlo todo más adelante.",
    profession: "Profesión",
    professionHint: "Una línea bajo el nombre, por ejemplo «Especialista en sueño».",
    signedInAs: "Ha iniciado sesión como {email}.",
    signInFirst: "Para aceptarla, inicie sesión o cree una cuenta.",
    signInOnly: "Para aceptarla, inicie sesión.",
    title: "Tiene una invitación",
    toOwn: "Le invitan a crear una persona propia.",
    toTeam: "Le invitan a unirse al equipo de {name}.",
    unknown: "Alguien le invita a colaborar. Verá en qué cuando haya iniciado sesión.",
    useAnother: "Usar otra cuenta",
    validUntil: "Válida hasta el {date}.",
    welcome: "Le damos la bienvenida al equipo de {name}.",
  },

  notices: {
    address: "Los correos se envían a {email}.",
    allow: "Mostrar notificaciones",
    asksForHuman: "Alguien pide hablar con un ser humano",
    asksForHumanHint: "se envía de inmediato",
    atHour: "A las",
    blocked: "Este navegador bloquea las notificaciones de este sitio. Puede permitirlas en sus ajustes.",
    browser: "En este navegador",
    browserHint:
      "Cuando alguien pide hablar con un ser humano o se abre una pregunta, mientras esta página esté abierta en una pestaña. Sin sonido y sin nada de lo que alguien haya escrito.",
    budget: "Un presupuesto está casi o completamente agotado",
    byEmail: "Por correo electrónico",
    digest: "Resumen de lo pendiente",
    digestDaily: "Todos los días",
    digestOff: "Nunca",
    digestWeekly: "Una vez por semana",
    failures: "No se puede leer un archivo o un sitio web",
    language: "Idioma de los correos",
    newQuestion: "Hay una pregunta nueva para {name}.",
    noAddress: "Su cuenta no tiene un correo electrónico confirmado, así que no se envía nada.",
    onDay: "El",
    otherZone:
      "El resumen sigue ahora la hora de {zone}. Al guardar pasará a {browser}, la zona horaria de este navegador.",
    refused:
      "Los correos enviados a {email} han sido devueltos, así que ya no enviamos más. Compruebe la dirección de su cuenta y guarde para volver a intentarlo.",
    save: "Guardar",
    saved: "Guardado.",
    somebodyWaits: "Alguien quiere hablar con {name} en persona.",
    stop: "No mostrar más",
    title: "Avisos",
    unavailable:
      "Este servicio aún no puede enviar correos: quien lo gestiona debe configurar SMTP_URL y MAIL_FROM. Sus preferencias se aplicarán cuando pueda.",
    unsupported: "Este navegador no puede mostrar notificaciones aquí.",
    zone: "Las horas son las de {zone}, la zona horaria de este navegador.",
  },

  overview: {
    answersByOthers: {
      one: "{count} respuesta de su equipo",
      many: "{count} de respuestas de su equipo",
      other: "{count} respuestas de su equipo",
    },
    changed: "Desde su última visita",
    conversations: {
      one: "{count} conversación con mensajes nuevos",
      many: "{count} de conversaciones con mensajes nuevos",
      other: "{count} conversaciones con mensajes nuevos",
    },
    filesAdded: {
      one: "{count} archivo nuevo",
      many: "{count} de archivos nuevos",
      other: "{count} archivos nuevos",
    },
    filesFailed: {
      one: "No se puede leer {count} archivo",
      many: "No se pueden leer {count} de archivos",
      other: "No se pueden leer {count} archivos",
    },
    lastVisit: "Su última visita: {time}",
    nothingChanged: "Nada ha cambiado.",
    nothingWaits: "No hay nada pendiente.",
    openQuestions: {
      one: "{count} pregunta abierta",
      many: "{count} de preguntas abiertas",
      other: "{count} preguntas abiertas",
    },
    published: "Se publicó la versión {version}.",
    publishedBy: "{email} publicó la versión {version}.",
    questions: {
      one: "{count} pregunta nueva",
      many: "{count} de preguntas nuevas",
      other: "{count} preguntas nuevas",
    },
    quiet: "Nadie ha hablado con {name} en las últimas dos semanas.",
    sourcesFailed: {
      one: "No se puede leer {count} sitio web",
      many: "No se pueden leer {count} de sitios web",
      other: "No se pueden leer {count} sitios web",
    },
    stepConversation: "Tener la primera conversación",
    stepConversationHint: "Pregúntele algo en la página del chat, como hará la gente.",
    stepDone: "Hecho",
    stepFiles: "Añadir lo que debe saber",
    stepFilesHint: "Sus archivos o su sitio web. Las respuestas los citan.",
    stepPersona: "Describir la persona",
    stepPersonaHint: "Cómo saluda, cómo habla y qué no hace.",
    stepPublish: "Publicarla",
    stepPublishByOwner: "Solo puede hacerlo quien es propietario. Hasta entonces, nadie puede hablar con ella.",
    stepPublishHint: "Hasta entonces, nadie puede hablar con ella.",
    steps: "Primeros pasos",
    stepsDone: "{done} de {all} hechos",
    stepTests: "Guardar una pregunta como prueba",
    stepTestsHint: "Las pruebas muestran qué estropearía un cambio posterior.",
    stepTry: "Probar una pregunta",
    stepTryHint: "Vea qué responde antes que nadie.",
    testsFailing: {
      one: "{count} prueba falla",
      many: "{count} de pruebas fallan",
      other: "{count} pruebas fallan",
    },
    thumbsDown: {
      one: "{count} pulgar hacia abajo",
      many: "{count} de pulgares hacia abajo",
      other: "{count} pulgares hacia abajo",
    },
    title: "Resumen",
    trouble: "Requiere su atención",
    waiting: "Pendiente",
    waitingPeople: {
      one: "{count} persona espera su respuesta",
      many: "{count} de personas esperan su respuesta",
      other: "{count} personas esperan su respuesta",
    },
    week: "Los últimos 7 días",
    weekAnswers: "Respuestas",
    weekBad: "Pulgares hacia abajo",
    weekBefore: "{number} la semana anterior",
    weekGood: "Pulgares hacia arriba",
    weekNotKnown: "No lo sabía",
    weekOwnWords: "Con sus propias palabras",
    weekPeople: "Personas",
  },

  parts: english.desk.parts,

  persona: {},

  questions: english.desk.questions,

  team: {
    answerer: "Respuestas",
    answererHint:
      "Responde a preguntas y participa en conversaciones. Puede leer archivos y pruebas, pero no cambiarlos.",
    answers:
      "Puede cambiar las respuestas a preguntas abiertas. Quien tiene la función de edición o de propietario puede escribir, cambiar e importar todas las demás.",
    changed: "Se ha cambiado la función.",
    colleagues: "Colegas",
    copied: "Copiado.",
    copy: "Copiar el enlace",
    editor: "Edición",
    editorHint: "También cambia archivos, sitios web, pruebas, respuestas fijas y el borrador de la persona.",
    email: "Correo electrónico (opcional)",
    emailHint: "También enviamos el enlace allí.",
    files: "Quien tiene la función de edición o de propietario puede añadir y eliminar archivos y sitios web.",
    forAddress: "Para {email}",
    forLink: "Por enlace",
    invitations: "Invitaciones abiertas",
    invite: "Invitar a un colega",
    lastOwner: "Usted es el único propietario. Primero, haga propietario a alguien más.",
    leave: "Dejar el equipo",
    leaveQuestion: "¿Dejar el equipo de {name}? Solo un propietario podrá volver a invitarle.",
    link: "Enlace de la invitación",
    linkHint: "Envíelo a una sola persona. Sirve una vez, durante 7 días, y solo se muestra ahora.",
    mailed: "También va de camino a {email}.",
    makeLink: "Crear una invitación",
    noInvitations: "No hay invitaciones abiertas.",
    noMail: "Este servicio aún no puede enviar correos. Envíe el enlace usted mismo.",
    notPublished: "no pública",
    onlyOwners: "Los propietarios pueden invitar a colegas y cambiar funciones.",
    owner: "Propietario",
    ownerHint: "Puede hacerlo todo: también publica la persona y gestiona el equipo.",
    remove: "Quitar",
    removed: "{email} ya no está en el equipo.",
    removeQuestion: "¿Quitar a {email} del equipo? Sus respuestas se conservan.",
    revoke: "Anular",
    revoked: "Anulada. El enlace ya no funciona.",
    revokeQuestion: "¿Anular esta invitación?",
    role: "Función",
    roleOf: "Función de {email}",
    since: "desde el {date}",
    tests: "Quien tiene la función de edición o de propietario puede escribir y ejecutar pruebas.",
    title: "Equipo",
    validUntil: "válida hasta el {date}",
    you: "usted",
    youAreOut: "Usted ya no está en el equipo de {name}.",
    youAreOutHint: "Un propietario puede volver a invitarle. Sus respuestas se conservan.",
  },

  tests: english.desk.tests,

  try: english.desk.try,

  usage: english.desk.usage,
};
