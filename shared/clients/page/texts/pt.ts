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
    accept: "Aceitar",
    asRole: "Sua função: {role}.",
    confirmed: "Seu e-mail está confirmado.",
    confirmEmail:
      "Abra neste navegador o link do e-mail que enviamos para você. Seu convite fica guardado aqui até lá.",
    createAccount: "Criar uma conta",
    createHint: "De agora em diante, você entra com este e-mail e esta senha.",
    gone: "Este convite não é mais válido. Ele já foi usado, foi cancelado ou expirou. Peça um novo.",
    goOn: "Continuar",
    haveAccount: "Já tenho uma conta",
    keepOut: "Recusar",
    make: "Criar a persona",
    name: "Nome da persona",
    nameHint: "Geralmente, o seu próprio nome.",
    ownHint:
      "Ela se baseia nos seus arquivos e nas suas respostas. Ninguém pode conversar com ela antes de você publicá-la, e você pode mudar tudo depois.",
    profession: "Profissão",
    professionHint: "Uma linha abaixo do nome, por exemplo “Especialista em sono”.",
    signedInAs: "Você entrou como {email}.",
    signInFirst: "Para aceitar, entre ou crie uma conta.",
    signInOnly: "Para aceitar, entre.",
    title: "Você recebeu um convite",
    toOwn: "Você foi convidado a criar a sua própria persona.",
    toTeam: "Você foi convidado para a equipe de {name}.",
    unknown: "Alguém convidou você para colaborar. Você verá em quê depois de entrar.",
    useAnother: "Usar outra conta",
    validUntil: "Válido até {date}.",
    welcome: "Boas-vindas à equipe de {name}.",
  },

  notices: {
    address: "Os e-mails vão para {email}.",
    allow: "Mostrar notificações",
    asksForHuman: "Alguém pede para falar com uma pessoa",
    asksForHumanHint: "enviado imediatamente",
    atHour: "Às",
    blocked: "Este navegador bloqueia as notificações deste site. Você pode permiti-las nas configurações dele.",
    browser: "Neste navegador",
    browserHint:
      "Quando alguém pede para falar com uma pessoa ou uma pergunta é aberta, enquanto esta página estiver aberta em uma aba. Sem som e sem nada do que alguém escreveu.",
    budget: "Um orçamento está quase ou totalmente usado",
    byEmail: "Por e-mail",
    digest: "Resumo do que está à espera",
    digestDaily: "Todos os dias",
    digestOff: "Nunca",
    digestWeekly: "Uma vez por semana",
    failures: "Um arquivo ou site não pode ser lido",
    language: "Idioma dos e-mails",
    newQuestion: "Há uma nova pergunta para {name}.",
    noAddress: "Sua conta não tem um e-mail confirmado, por isso nada é enviado.",
    onDay: "Em",
    otherZone:
      "O resumo segue agora o horário de {zone}. Ao salvar, passa a ser {browser}, o fuso horário deste navegador.",
    refused:
      "Os e-mails para {email} voltaram, por isso não enviamos mais. Verifique o endereço da sua conta e salve para tentar de novo.",
    save: "Salvar",
    saved: "Salvo.",
    somebodyWaits: "Alguém quer falar com {name} pessoalmente.",
    stop: "Não mostrar mais",
    title: "Avisos",
    unavailable:
      "Este serviço ainda não pode enviar e-mails: quem o opera precisa definir SMTP_URL e MAIL_FROM. Suas escolhas valem assim que ele puder.",
    unsupported: "Este navegador não pode mostrar notificações aqui.",
    zone: "Os horários são os de {zone}, o fuso horário deste navegador.",
  },

  overview: {
    answersByOthers: {
      one: "{count} resposta de colegas",
      many: "{count} de respostas de colegas",
      other: "{count} respostas de colegas",
    },
    changed: "Desde a sua última visita",
    conversations: {
      one: "{count} conversa com novas mensagens",
      many: "{count} de conversas com novas mensagens",
      other: "{count} conversas com novas mensagens",
    },
    filesAdded: {
      one: "{count} novo arquivo",
      many: "{count} de novos arquivos",
      other: "{count} novos arquivos",
    },
    filesFailed: {
      one: "{count} arquivo não pode ser lido",
      many: "{count} de arquivos não podem ser lidos",
      other: "{count} arquivos não podem ser lidos",
    },
    lastVisit: "Sua última visita: {time}",
    nothingChanged: "Nada mudou.",
    nothingWaits: "Nada espera por você.",
    openQuestions: {
      one: "{count} pergunta aberta",
      many: "{count} de perguntas abertas",
      other: "{count} perguntas abertas",
    },
    published: "A versão {version} foi publicada.",
    publishedBy: "{email} publicou a versão {version}.",
    questions: {
      one: "{count} nova pergunta",
      many: "{count} de novas perguntas",
      other: "{count} novas perguntas",
    },
    quiet: "Ninguém conversou com {name} nas últimas duas semanas.",
    sourcesFailed: {
      one: "{count} site não pode ser lido",
      many: "{count} de sites não podem ser lidos",
      other: "{count} sites não podem ser lidos",
    },
    stepConversation: "Ter a primeira conversa",
    stepConversationHint: "Pergunte algo na página do chat, como as pessoas farão.",
    stepDone: "Concluído",
    stepFiles: "Adicionar o que ela deve saber",
    stepFilesHint: "Seus arquivos ou seu site. As respostas os citam.",
    stepPersona: "Descrever a persona",
    stepPersonaHint: "Como ela recebe as pessoas, como fala e o que não faz.",
    stepPublish: "Publicá-la",
    stepPublishByOwner: "Só um proprietário pode fazer isso. Até lá, ninguém pode conversar com ela.",
    stepPublishHint: "Até lá, ninguém pode conversar com ela.",
    steps: "Primeiros passos",
    stepsDone: "{done} de {all} concluídos",
    stepTests: "Salvar uma pergunta como teste",
    stepTestsHint: "Os testes mostram o que uma mudança posterior quebraria.",
    stepTry: "Experimentar uma pergunta",
    stepTryHint: "Veja o que ela responde antes de todo mundo.",
    testsFailing: {
      one: "{count} teste falha",
      many: "{count} de testes falham",
      other: "{count} testes falham",
    },
    thumbsDown: {
      one: "{count} polegar para baixo",
      many: "{count} de polegares para baixo",
      other: "{count} polegares para baixo",
    },
    title: "Visão geral",
    trouble: "Precisa da sua atenção",
    waiting: "À sua espera",
    waitingPeople: {
      one: "{count} pessoa espera a sua resposta",
      many: "{count} de pessoas esperam a sua resposta",
      other: "{count} pessoas esperam a sua resposta",
    },
    week: "Os últimos 7 dias",
    weekAnswers: "Respostas",
    weekBad: "Polegares para baixo",
    weekBefore: "{number} na semana anterior",
    weekGood: "Polegares para cima",
    weekNotKnown: "Não sabia",
    weekOwnWords: "Nas suas próprias palavras",
    weekPeople: "Pessoas",
  },

  parts: english.desk.parts,

  persona: {},

  questions: english.desk.questions,

  team: {
    answerer: "Respostas",
    answererHint: "Responde a perguntas e participa de conversas. Pode ler arquivos e testes, mas não alterá-los.",
    answers:
      "Você pode alterar respostas a perguntas abertas. Quem tem a função de edição ou de proprietário pode escrever, alterar e importar todas as outras.",
    changed: "A função foi alterada.",
    colleagues: "Colegas",
    copied: "Copiado.",
    copy: "Copiar o link",
    editor: "Edição",
    editorHint: "Também altera arquivos, sites, testes, respostas fixas e o rascunho da persona.",
    email: "E-mail (opcional)",
    emailHint: "Também enviamos o link para lá.",
    files: "Quem tem a função de edição ou de proprietário pode adicionar e excluir arquivos e sites.",
    forAddress: "Para {email}",
    forLink: "Por link",
    invitations: "Convites abertos",
    invite: "Convidar um colega",
    lastOwner: "Você é o único proprietário. Primeiro, torne outra pessoa proprietária.",
    leave: "Sair da equipe",
    leaveQuestion: "Sair da equipe de {name}? Só um proprietário poderá convidar você de novo.",
    link: "Link do convite",
    linkHint: "Envie-o a uma só pessoa. Ele funciona uma vez, por 7 dias, e só é mostrado agora.",
    mailed: "Ele também está a caminho de {email}.",
    makeLink: "Criar um convite",
    noInvitations: "Nenhum convite está aberto.",
    noMail: "Este serviço ainda não pode enviar e-mails. Envie você mesmo o link.",
    notPublished: "não pública",
    onlyOwners: "Proprietários podem convidar colegas e mudar funções.",
    owner: "Proprietário",
    ownerHint: "Pode fazer tudo: também publica a persona e gerencia a equipe.",
    remove: "Remover",
    removed: "{email} não faz mais parte da equipe.",
    removeQuestion: "Remover {email} da equipe? As respostas são mantidas.",
    revoke: "Cancelar o convite",
    revoked: "Convite cancelado. O link não funciona mais.",
    revokeQuestion: "Cancelar este convite?",
    role: "Função",
    roleOf: "Função de {email}",
    since: "desde {date}",
    tests: "Quem tem a função de edição ou de proprietário pode escrever e executar testes.",
    title: "Equipe",
    validUntil: "válido até {date}",
    you: "você",
    youAreOut: "Você não faz mais parte da equipe de {name}.",
    youAreOutHint: "Um proprietário pode convidar você de novo. Suas respostas são mantidas.",
  },

  tests: english.desk.tests,

  try: english.desk.try,

  usage: english.desk.usage,
};
