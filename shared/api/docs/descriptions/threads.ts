import type { Description, Descriptions } from "../describe_endpoint.ts";
import {
  exampleAnswer,
  exampleExpertMessage,
  examplePassage,
  exampleQuestion,
  exampleRequest,
  exampleSource,
  exampleThread,
  exampleThreadWithState,
} from "../examples.ts";

const example = { thread_id: exampleThread.id, message_id: exampleAnswer.id, at: exampleAnswer.created_at };

/** As the service sends it. */
const streamExample = `retry: 1000
event: watching
id: 1795190603140000_0
data: {}

event: message.begun
id: 1795190613140000_481
data: ${JSON.stringify(example)}

`;

const streams: Description["streams"] = {
  "text/event-stream": {
    schema: {
      type: "string" as const,
      description:
        "Server-sent events, each named after its kind (EventKind). The data is JSON with IDs (EventData), never " +
        "with contents. Comments (`: ping`) keep the connection open.",
      contentMediaType: "text/event-stream",
      contentSchema: {
        type: "object",
        properties: {
          event: { $ref: "#/components/schemas/EventKind" },
          data: { $ref: "#/components/schemas/EventData" },
        },
      },
    },
    examples: { events: { value: streamExample } },
  },
};

const howItGoesOn =
  "The first event is `watching`: a client that reads the current state after it misses nothing. A stream ends " +
  "after about two minutes. Reconnect with the `id:` of the last event, as an `EventSource` does automatically. " +
  "No events are lost; some may arrive twice, with the same ID. After more than nine minutes, or with an invalid " +
  "ID, the first event is `missed` instead of `watching`: read the current state again. Events arrive about a " +
  "second after they happen.";

const reply = { description: "The events, as they happen" };

export const threadDescriptions: Descriptions = {
  listThreads: {
    summary: "List a user's threads",
    description:
      "All threads of a user: most recently updated first, or with `search` the best match first. With `limit` " +
      "or `cursor`, one page of them.",
    reply: { description: "The threads; the list may be empty", example: { data: [exampleThread], count: 1 } },
  },
  eraseUser: {
    summary: "Delete the signed-in user",
    description:
      "Deletes everything that is stored about the signed-in user in the account of the key: all threads with " +
      "all coaches, their messages (also at the language model's server), ratings, and the user's part in open " +
      "questions. Answers that are being written are canceled. An access token is required, and `userId` must be " +
      "its user, or `me`. The request may be repeated: its reply is the same.\n\nThe sign-in itself is not " +
      "deleted. The requests that the user has made are still counted, under a hash, until their limits reset.",
    reply: {
      description: "Nothing is stored about the user any more",
      example: { message: "User deleted successfully", userId: exampleThread.user_id },
    },
  },
  getBudget: {
    summary: "Get what a user may still use",
    description:
      "The budgets that limit what a user may have the language models do: of the account, of the API key and of " +
      "coaches, and the user's own share where each user has an amount. When a budget is used up, requests that would " +
      "ask a model get a 429 with the code `budget_exhausted`; pinned answers are given all the same.\n\nWith an " +
      "access token, the figures of budgets that are shared with other people are left out, and so are budgets that " +
      "only warn the operator.",
    reply: {
      description: "The budgets; the list may be empty",
      example: {
        data: [
          { scope: "account", is_exhausted: false, resets_at: "2026-12-01T00:00:00.000Z" },
          {
            scope: "coach",
            limit: 20000,
            used: 17210,
            reserved: 0,
            unit: "tokens",
            resets_at: "2026-11-21T00:00:00.000Z",
            is_exhausted: false,
          },
        ],
      },
    },
  },
  getThread: {
    summary: "Get a thread",
    description:
      "A thread as it appears in lists, with its state: whether it is pinned or archived, and whether an answer " +
      "is being written. With an access token, for the thread's own user and for the expert behind its coach.",
    reply: { description: "The thread", example: exampleThreadWithState },
  },
  updateThread: {
    summary: "Rename, pin or archive a thread",
    description: "Changes the fields that are sent, at least one. The thread keeps its place in the list.",
    bodyExamples: { rename: { value: { title: "The new team" } }, archive: { value: { is_archived: true } } },
    reply: { description: "The changed thread", example: { ...exampleThreadWithState, title: "The new team" } },
  },
  markThreadRead: {
    summary: "Mark a thread as read",
    description:
      "Sets `unread` to 0. May be repeated. With an access token, for the thread's own user; a key alone acts for " +
      "the user of the thread.\n\n`unread` counts the messages of the expert (also those that the user saw as " +
      "they came, until this is called) and each answer whose last text was stored when the connection of its " +
      "reply was gone. An answer no longer counts once its end was received through `followAnswer`, or through a " +
      "repetition of its question, or when it is run again. Failed and stopped answers never count.",
    reply: { description: "The thread, with nothing unread", example: exampleThreadWithState },
  },
  deleteThread: {
    summary: "Delete a thread",
    description:
      "Deletes a thread and all its messages, also at the language model's server. An answer that is being " +
      "written in it is canceled.",
    reply: {
      description: "The thread was deleted",
      example: { message: "Thread deleted successfully", threadId: exampleThread.id },
    },
  },
  listMessages: {
    summary: "Get the messages of a thread",
    description:
      "All messages of a thread, oldest first. With `limit` or `cursor`, one page of them; with `order=desc`, " +
      "newest first. Answers without text are left out.\n\nWith `include=status`, every answer is listed, " +
      "including one that is still being written, with its text so far, and one that failed before it had any " +
      "text. A page that is reloaded in the middle of an answer finds its ID there and continues with " +
      "`followAnswer`.\n\nWith an access token, for the thread's own user and for the expert behind its coach. " +
      "`include=basis` shows what each answer was based on. It is for the expert only: the coach's own user, or " +
      "a key with the scope `expert` that acts alone.",
    reply: {
      description: "The messages of the user and the coach",
      example: { data: [exampleQuestion, exampleAnswer], count: 2 },
    },
  },
  rateAnswer: {
    summary: "Rate an answer",
    description:
      "Stores what the thread's user thinks of an answer and replaces any earlier rating; `rating: null` removes " +
      "it. With a user's token, only that user's answers can be rated; a key alone acts for the user of the " +
      "thread. A rating belongs to the text that was rated: when the answer is run again, the rating is deleted.",
    bodyExamples: {
      up: { summary: "It helped", value: { rating: "up" } },
      down: {
        summary: "A bad answer, with the reason",
        value: { rating: "down", comment: "Too general for my team." },
      },
      none: { summary: "Remove the rating", value: { rating: null } },
    },
    reply: {
      description: "The feedback as it is stored now",
      example: { messageId: exampleAnswer.id, rating: "down", comment: "Too general for my team." },
    },
  },
  takeOver: {
    summary: "Answer a thread in person",
    description:
      "From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. If an " +
      "answer is being written, it ends with the text so far; if it has no text yet, its question waits for the " +
      "expert. Anyone who asks during the takeover gets a notice (the coach's `takeover_notice`), and the " +
      "question waits.\n\nThe takeover lasts until `releaseThread`, or until `takeover_minutes` (a setting of " +
      "the coach) after the expert's last message. Calling this again extends it.",
    reply: {
      description: "The changed thread",
      example: {
        ...exampleThreadWithState,
        handled_by: "expert",
        taken_over_until: "2026-11-20T17:03:33.140Z",
      },
    },
  },
  releaseThread: {
    summary: "Let the model answer again",
    description:
      "Ends a takeover. The model answers the waiting questions in the background; their answers appear in the " +
      "list of messages. A request for a human is closed: the thread leaves the list of those with " +
      "`needs_reply`. If nobody has taken the thread over, only the request for a human is closed.",
    reply: { description: "The changed thread", example: exampleThreadWithState },
  },
  sayAsExpert: {
    summary: "Say something as the expert",
    description:
      "Stores a message of the expert. It becomes the answer to the oldest waiting question. If no question " +
      "waits, it is added at the end of the thread on its own. The thread is taken over, as by `takeOver`.",
    bodyExamples: { message: { value: { content: exampleExpertMessage.content } } },
    reply: {
      description: "The message as lists show it with `include=status,author`",
      example: exampleExpertMessage,
    },
  },
  draftReply: {
    summary: "Draft a reply for the expert",
    description:
      "Drafts what the expert might reply to the person's newest message, or to the one in `in_reply_to`, for the expert " +
      "to edit. It is made of the thread, pinned answers and passages of files alone. Where these do not say what is " +
      "asked, the draft has a gap in square brackets. If the very question is pinned, the draft is the pinned answer, " +
      "and the model is not asked.\n\nNothing is stored or sent: what the expert then sends with `sayAsExpert` counts " +
      "as their own words. A draft counts on budgets, and fails as an answer does.",
    reply: {
      description: "The draft and its sources",
      example: { content: exampleExpertMessage.content, sources: [examplePassage] },
    },
  },
  reviseAnswer: {
    summary: "Correct an answer",
    description:
      "Turns the expert's correction into a pinned answer: from now on, the same question gets it word for word. " +
      "If the question is already pinned, that pinned answer gets a new version. The answer is marked as " +
      "revised, and the open questions it led to are answered. `bar_passages` excludes misleading passages from " +
      "all further answers, and `notify` informs the person in their thread. Either everything is done, or " +
      "nothing.\n\n`question` is required unless the answer led to an open question with a sentence.",
    bodyExamples: {
      correction: {
        value: {
          question: "How do I start with a new team?",
          answer: exampleExpertMessage.content,
          notify: true,
          bar_passages: [exampleSource.passageId],
        },
      },
    },
    reply: {
      description: "The pinned answer, and the message to the person",
      example: {
        pinnedAnswerId: "3d0f6c51-9a7e-4b55-8a44-1f6f0c0f7e21",
        version: 1,
        messageId: exampleExpertMessage.id,
      },
    },
  },
  askExpert: {
    summary: "Ask the expert in person",
    description:
      "Asks the person behind the coach: about a question of the thread, by default the last one, or with a new " +
      "`question`, whose answer then waits for the expert. No model is called, so this also works when budgets are used " +
      "up, and the model goes on answering other messages. An answer that waits for the expert is never given by the " +
      "model.\n\nThe reply is 201 for a new request. Asking again about the same question returns the same entry; one that " +
      "was withdrawn waits again. With an `email`, a mail asks to confirm the address, and another one has a link to the " +
      "answer, which works without an account. No other mails are sent there.",
    bodyExamples: {
      last: { summary: "About the last question of the thread", value: {} },
      withEmail: { value: { message_id: exampleRequest.message_id, email: "grace@example.com" } },
      alone: { summary: "A question for the expert alone", value: { question: exampleRequest.question } },
    },
    reply: { description: "The request", example: exampleRequest },
    created: true,
  },
  listRequests: {
    summary: "List the requests of a thread",
    description:
      "What the user of the thread has asked the expert in person, and what has become of it. If an expert of the coach " +
      "lists them, those that wait are `seen` from then on.",
    reply: { description: "The requests; the list may be empty", example: { data: [exampleRequest], count: 1 } },
  },
  withdrawRequest: {
    summary: "Take a request back",
    description:
      "The expert is no longer asked. An answer that waits for the expert ends as `stopped`. A link to the answer that was " +
      "sent by mail does not work any more. The request may be repeated.",
    reply: {
      description: "The request",
      example: { ...exampleRequest, status: "withdrawn", email: null },
    },
  },
  watchThread: {
    summary: "Watch a thread",
    description:
      "What happens in a thread, as it happens: answers that start and end, feedback, and takeovers. With an " +
      `access token, for the thread's own user and for the expert behind its coach.\n\n${howItGoesOn}`,
    reply,
    streams,
  },
  tellTyping: {
    summary: "Tell who is typing",
    description:
      "Those who watch the thread get the event `typing.user` or, from a signed-in expert, `typing.expert`. Call it again " +
      "every few seconds while somebody types: after seven seconds without it, they have stopped. A key alone speaks " +
      "for the thread's user. The text itself is not sent, and nothing is kept.",
    reply: { description: "The thread", example: { thread_id: exampleThread.id } },
  },
  watchCoach: {
    summary: "Watch a coach",
    description:
      "What happens in all threads with a coach, as it happens, and the questions that wait for the expert. With " +
      `an access token, for the coach's own user, who needs no scope.\n\n${howItGoesOn}`,
    reply,
    streams,
  },
};
