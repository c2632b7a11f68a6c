/** The texts of both pages: the form to sign in, windows, and the reader. */
export const shared = {
  aSource: "Source",
  backToSignIn: "Back",
  cancel: "Cancel",
  cited: "The passage of this source",
  close: "Close",
  download: "Download",
  drewOn: "The answer drew on this:",
  email: "Email",
  fetched: "Read on {date}",
  fileGone: "This file was deleted, or is not open to you.",
  forgotPassword: "Forgot password?",
  hasSaid: "Said by {name}",
  linkExpired: "This link has expired or was used already. Please ask for a new one.",
  linkSent: "If someone has an account with this address, we have sent them a link to set a new password.",
  loading: "Loading",
  moreAfter: "Show more after",
  moreBefore: "Show more before",
  newPassword: "New password",
  nextSource: "Next source",
  openOriginal: "Open the original",
  openOriginalAt: "Open page {page} of the original",
  openWebPage: "Open the web page",
  page: "page {page}",
  passageGone: "This passage is not in the file any more. The file has changed since the answer was written.",
  password: "Password",
  passwordWrong: "Wrong email or password.",
  previousSource: "Previous source",
  retry: "Try again",
  sendLink: "Send me a link",
  setPassword: "Save and sign in",
  signIn: "Sign in",
  signingIn: "Signing in…",
  source: "Source {number}",
  sourceOf: "Source {number} of {count}",
};

/** The texts of the chat. A site can replace each of them and each of those above. */
export const chat = {
  ai: "AI",
  aiHint: "{name} is an AI persona and can make mistakes. Check the sources.",
  answerFailed: "This answer could not be finished.",
  answering: "{name} is answering",
  answerStopped: "Stopped",
  archive: "Archive",
  archived: "Archived chats",
  backToChats: "Back to chats",
  budgetLow: "You have used {percent}% of what you can use here.",
  budgetLowUntil: "You have used {percent}% of what you can use here until {time}.",
  changeCoach: "Talk to someone else",
  chats: "Chats",
  chooseCoach: "Who would you like to talk to?",
  coachNotFound: "There is no one to talk to here. Please check the address.",
  comment: "What was wrong or missing?",
  commentHint: "The person behind {name} will read this.",
  confirmEmail: "Please open the link in the email that we have sent you. Then you can sign in.",
  connectionBroke: "Connection lost. The answer will continue when it is back.",
  conversation: "Conversation",
  copied: "Copied",
  copy: "Copy",
  copyCode: "Copy code",
  delete: "Delete",
  deleteChat: "Delete this chat?",
  deleteHint: "“{title}” and all its messages will be deleted for good.",
  edit: "Edit",
  editBack: "Edit message",
  editHint: "This replaces your question and everything after it.",
  expert: "In person",
  expertAnswers: "{name} has joined and is answering in person.",
  expertHint: "A person is reading and answering here.",
  expertWaiting: "Waiting for {name} to answer in person.",
  forgotten: "All your chats were deleted for good.",
  goesOn: "Trying again automatically.",
  good: "Good answer",
  goOnAsVisitor: "Continue as a visitor",
  keyNotAllowed: "This page cannot connect to the service. Its owner needs to check the key.",
  leave: "Sign out",
  leaveVisit: "Forget me",
  leaveVisitFailed: "Your chats may not be deleted yet.",
  leaveVisitHint: "All your chats will be deleted for good.",
  leaveVisitTitle: "Forget this visit?",
  limited: "That was a lot at once. You can continue in {seconds} s.",
  limitedOver: "You can continue now.",
  makeAccount: "Create an account",
  makeAccountHint: "Your chats from this visit will be in it.",
  menu: "Chats and account",
  messageLabel: "Message to {name}",
  messagePlaceholder: "Ask {name}",
  messageTooLong: "Too long: {count} over the limit.",
  more: "More actions for “{title}”",
  newChat: "New chat",
  newest: "Jump to the newest message",
  noArchived: "No archived chats",
  noChats: "Your chats will appear here.",
  noMatches: "No chats found",
  notSent: "Not sent.",
  offline: "You are offline.",
  originNotAllowed: "The service does not accept this address. The owner of the page needs to allow it.",
  ownWords: "{name}’s own words",
  pin: "Pin",
  pinned: "Pinned",
  poor: "Poor answer",
  privacy:
    "Chats are kept on the server of this site. The person behind {name} and those who run the site can read them.",
  privacyPage: "More about privacy",
  queued: "Waiting to be sent.",
  rename: "Rename",
  search: "Search chats",
  send: "Send",
  sendAgain: "Send again",
  sendComment: "Send comment",
  sending: "Sending…",
  showAllSources: "Show all {count}",
  showEarlier: "Show earlier messages",
  showMore: "Show more",
  signedInAs: "Signed in as {email}",
  signedOut: "You are signed out.",
  signedOutHint: "Sign in again to see your chats, or continue as a new visitor.",
  signInHint: "For people with an account. Your chats from this visit will not move to it.",
  signInKeepHint:
    "For people with an account. Your chats from this visit will not move to it. To keep them, create an account.",
  siteSignedOut: "Please sign in to this site first.",
  sources: "Sources",
  stop: "Stop",
  threadNotFound: "This chat was deleted, or belongs to somebody else.",
  toDesk: "For the expert",
  trouble: "The service has a problem. Please try again later.",
  unarchive: "Unarchive",
  unpin: "Unpin",
  unreachable: "The service cannot be reached.",
  unread: "{count} new",
  usedUp: "Everything that was set aside for this chat is used up.",
  usedUpUntil: "That is all for now. You can continue on {time}.",
  visitor: "You are chatting as a visitor",
  you: "You",
};

/** The texts of the desk, by panel. */
export const desk = {
  /** The panel of pinned answers. */
  answers: {},

  /** The panel of conversations. */
  conversations: {},

  /** The sentences for errors of the service, by their code. Other errors are shown as the service words them. */
  errors: {},

  /** The panel of files and web addresses. */
  files: {},

  /** Parts that several panels share, such as sizes and the names of people. */
  format: {},

  /** The frame around the panels, and the screens before it. */
  frame: {
    title: "The expert's desk",
    toChat: "The chat",
  },

  /** The screen that an invitation opens. */
  invitation: {},

  /** The panel that shows what waits and what has changed. */
  overview: {},

  /** The panel in which the persona is edited. */
  persona: {},

  /** The panel of open questions. */
  questions: {},

  /** The panel of colleagues, invitations and notices. */
  team: {},

  /** The panel of tests. */
  tests: {},

  /** The panel in which the persona is tried. */
  try: {},

  /** The panel of usage. */
  usage: {},
};
