// Written by `npm run client`; not to be edited.
export interface paths {
    "/auth/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in, or stay signed in
         * @description With a password, or with the refresh token of an earlier session. Access tokens live an hour: refresh about five minutes before.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Talk to a coach
         * @description Starts a conversation (`context.coachId`) or goes on with one (`thread_id`) and streams the answer. What was accepted is kept and answered to the end, whether or not it is read: see `followAnswer` and `stopAnswer`. `Accept: application/json` waits for the end and gives one object.
         *
         *     For a signed-in user send the bearer token as well, with `context.isAuthenticated: true`.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/chat/{messageId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an answer again
         * @description Runs the last answer of a thread again, in its place and whatever its state: the same message, with the history before its question and what the coach's files say now. The text so far stays until the new run has some, and comes back if that fails or is stopped before its first word. An answer that is being written is not begun again: the reply follows it. Nothing is sent in the body.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["retryAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/chat/{messageId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an answer
         * @description Ends the model call of a running answer, from any connection. What was said stays as the message.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["stopAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/chat/{messageId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow an answer
         * @description What there is of an answer, from the beginning or after the last event that its reader has, then the rest as it is written. Text arrives about once a second. Every event has an `id:`, the number of characters so far.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["followAnswer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the coaches
         * @description All active coaches that the caller may talk to, by name; `limit` or `cursor` ask for a page instead.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["listCoaches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a coach
         * @description An active coach that the caller may talk to.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["getCoach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pinned answers of a coach
         * @description All answers of the expert, the newest change first; `limit` or `cursor` ask for a page instead. Only for the expert behind the coach, as everything about pinned answers.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listPinnedAnswers"];
        put?: never;
        /**
         * Pin an answer to a question
         * @description From then on, a message that asks this question gets this answer word for word, without the model. The same question is one with the same words in the same order; case, accents, punctuation, articles, endings, and words of politeness at its beginning or end do not count. To questions that are near, the model answers with what is said here in view.
         *
         *     A coach has each question once, variants included: otherwise the reply is a 409 with the `answerId` that has it.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["createPinnedAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/answers/{answerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pinned answer
         * @description A pinned answer, with who wrote what of it and when.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getPinnedAnswer"];
        put?: never;
        post?: never;
        /**
         * Delete a pinned answer
         * @description Deletes a pinned answer with its versions. Answers that were given from it stay.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deletePinnedAnswer"];
        options?: never;
        head?: never;
        /**
         * Change a pinned answer
         * @description Changes the fields that are sent, at least one, and keeps what was said before as a version. Answers that were given from it stay.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updatePinnedAnswer"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/barred-passages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the barred passages of a coach
         * @description The passages that answers do not draw on, the newest first; `limit` or `cursor` ask for a page instead. Only for the expert behind the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listBarredPassages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/barred-passages/{passageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Bar a passage from answers
         * @description Answers that are begun from now on do not draw on the passage, in whatever file of the coach it stands, also when the file is read again. The search of files still finds it.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["barPassage"];
        post?: never;
        /**
         * Let answers use a passage again
         * @description Answers that are begun from now on may draw on the passage.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["unbarPassage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a coach
         * @description What happens in all threads with a coach, and questions that wait for the expert, as it happens. With an access token, for the coach's own user, who needs no scope.
         *
         *     The first event is `watching`; whoever then reads what is shown misses nothing. A stream ends after some two minutes: come back with the `id:` of the last event, as an `EventSource` does by itself. Nothing is lost then, and some events may come a second time, with the same id. Who comes back after more than nine minutes, or with an id that is none, gets `missed` instead of `watching`, and reads anew. Events arrive about a second after what they tell.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["watchCoach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/questions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List open questions
         * @description What people asked this coach and the persona could not answer well, those that most people have asked first; `limit` or `cursor` ask for a page instead of all. What says the same is one question: the same words at once, other words when the worker has looked at them. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listQuestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/questions/{questionId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a question
         * @description Pins an answer to the question: from now on, who asks it is given the answer word for word. Where the same question has a pinned answer already, this text takes its place. The question counts as answered. When it is asked again all the same, the answer has not reached the person, and it opens again.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["answerQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/questions/{questionId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss a question
         * @description Takes a question out of the open ones. It goes on counting, and opens again by itself when as many further people as had asked by now, and at least three, have asked it.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["dismissQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/questions/{questionId}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen a question
         * @description Puts a question that was answered or dismissed back to the open ones.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["reopenQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations with a coach
         * @description A page of the threads of all users with this coach, archived ones too, the most recently updated first, or with `search` the best match first. All filters can be combined. For the expert behind the coach: its own user, signed in, or a key that acts alone. `GET /threads/{threadId}/messages` shows what was said.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listConversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a question
         * @description What the coach would answer a question from, asked as the first message of a thread: the pinned answer that would be given word for word or those that are near, and passages of its files. With `answer: true` also what would be said, which asks the model as a turn does, and may take as long. Nothing is kept: no thread, no open question, no hit of a pinned answer, and the model's server is asked to keep nothing. A coach that is not active can be tried. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["tryQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the usage of a coach by day
         * @description Turns, tokens, people, open questions and feedback of each day, and of all days together. Days without anything are listed too. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search knowledge files
         * @description The files of a coach: best match first with `search`, otherwise the newest first.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["searchFiles"];
        put?: never;
        /**
         * Upload knowledge files
         * @description Adds files to what a coach knows: PDF, DOCX, TXT, MD (up to 25 MB each), JPG, PNG, GIF, WEBP, MP4, AVI, MOV, WEBM (up to 50 MB each), 100 MB in all. A file that cannot be accepted stops no other. Content can be found a moment later: see the `status` in search results.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        post: operations["uploadFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a knowledge file
         * @description Deletes a file and all that was drawn from it.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the service as tools
         * @description The Model Context Protocol over Streamable HTTP, stateless, in the revisions 2026-07-28 and 2025-11-25 and before. Tools: `list-coaches`, `chat`, `get-user-threads`, `threads`, `search-knowledge`, `upload-knowledge`, `delete-knowledge`, `list-questions`, `answer-question`, `revise-answer`; each needs the scope of its operation. What the caller can mend is a tool result with `isError` and the code of the error as `_meta.error_code`; the rest is a JSON-RPC error with the code as `data.code`. Errors of keys, tokens and limits also say in `message` what to do.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a thread
         * @description A thread, as lists show it, with its state: whether an answer is being written, and how it is kept. With an access token, for the thread's own user and for the expert behind its coach.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["getThread"];
        put?: never;
        post?: never;
        /**
         * Delete a thread
         * @description Deletes a thread with all that was said in it, also at the language model's server. An answer that is being written there ends.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["deleteThread"];
        options?: never;
        head?: never;
        /**
         * Rename, pin or archive a thread
         * @description Changes the fields that are sent, at least one. The thread stays where it is in the list.
         *
         *     Needs a key with the scope `threads:write`.
         */
        patch: operations["updateThread"];
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a thread
         * @description What happens in a thread, as it happens: answers that begin and end, feedback, and who answers. With an access token, for the thread's own user and for the expert behind its coach.
         *
         *     The first event is `watching`; whoever then reads what is shown misses nothing. A stream ends after some two minutes: come back with the `id:` of the last event, as an `EventSource` does by itself. Nothing is lost then, and some events may come a second time, with the same id. Who comes back after more than nine minutes, or with an id that is none, gets `missed` instead of `watching`, and reads anew. Events arrive about a second after what they tell.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["watchThread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the messages of a thread
         * @description All messages of a thread, the oldest first; `limit` or `cursor` ask for a page instead, `order=desc` for the newest first. Answers without text are left out.
         *
         *     With `include=status` every answer is listed, also one that is being written, with its text so far, and one that failed before it had any. So a page that is reloaded in the middle of an answer finds its id, and goes on with `followAnswer`.
         *
         *     With an access token, for the thread's own user and for the expert behind its coach. What answers were made with, `include=basis`, is shown to the expert alone: the coach's own user, or a key with the scope `expert` that acts alone.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Say something as the expert
         * @description Stores a message of the expert. It becomes the answer to the oldest question that waits; where none does, it stands alone at the end of the thread. It takes the thread over, as `takeOver` does.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["sayAsExpert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/messages/{messageId}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Rate an answer
         * @description Stores what the thread's user thinks of an answer, in place of what was said before; `rating: null` takes it back. With a user's token only that user's answers can be rated; a key alone speaks for the user of the thread. A rating belongs to the text it was given for: it goes when the answer is written again.
         *
         *     Needs a key with the scope `threads:write`.
         */
        put: operations["rateAnswer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/messages/{messageId}/revise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Correct an answer
         * @description Makes a pinned answer of the expert's correction, so that the same question gets it word for word from now on; where the question is pinned already, that answer gets a new version. The answer is marked as revised, and open questions that it has led to are answered. `bar_passages` keeps what misled from all further answers, and `notify` tells the person in their thread. All of it is done, or nothing.
         *
         *     `question` is required unless the answer has led to an open question with a sentence.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["reviseAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the model answer again
         * @description Ends a takeover. Questions that still wait are answered by the model in the background: their answers appear in the list of messages. Whoever has asked for a human waits no longer: the thread leaves the list of those with `needs_reply`. That holds for a thread that nobody has taken over, too; otherwise it stays as it is.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["releaseThread"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/takeover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a thread in person
         * @description From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. An answer that is being written ends with the text that it has; without any, its question waits for the expert. Whoever asks meanwhile is told so (`takeover_notice` of the coach), and the question waits.
         *
         *     It lasts until `releaseThread`, or until the coach's `takeover_minutes` after the last message of the expert. Called again, it lasts that long from then on.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["takeOver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/users/{userId}/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's threads
         * @description All threads of a user, the most recently updated first, or with `search` the best match first; `limit` or `cursor` ask for a page instead.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["listThreads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AnswerBasis: {
            /** @description The version of the coach's settings and instructions that it was given; null where no model was asked */
            coach_version: number | null;
            /** @description `context.mode` of the question */
            mode: string | null;
            /** @description The model that wrote it; null where none did */
            model: string | null;
            /** @description The pinned answers that it was given, or that it is; they are among `sources` too */
            pinned_answers: components["schemas"]["PinnedAnswerSource"][];
            /** @description When the expert corrected it; null: never */
            revised_at: string | null;
            /** @description The pinned answer that corrects it */
            revision_id: string | null;
        };
        AnswerObject: {
            /**
             * @description Who wrote it: the model (`ai`) or the real person behind the coach
             * @enum {string}
             */
            author: "ai" | "expert";
            message: {
                content: string;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC
                 * @example 2026-11-20T16:03:33.140Z
                 */
                created_at: string;
                id: string;
                /** @description The model backend's id of the answer; null for a user's message */
                response_id: string | null;
                /** @constant */
                role: "assistant";
                /** Format: uuid */
                thread_id: string;
            };
            /** @description What the answer draws on */
            sources: components["schemas"]["Source"][];
            /**
             * @description `waiting`: the expert has taken over and will answer; the text is a notice that says so, which is not stored
             * @enum {string}
             */
            status: "waiting" | "streaming" | "complete" | "stopped" | "failed";
            /**
             * Format: uuid
             * @description To go on with the conversation
             */
            thread_id: string;
        };
        AnswerQuestionBody: {
            /** @description What the expert says. Who asks this question from now on is given it word for word */
            answer: string;
            /** @description How the pinned answer has the question; left out, as the open question says. One without a sentence needs it */
            question?: string | null;
            /** @description Other ways to ask it */
            variants?: string[] | null;
        };
        BarredPassage: {
            /** @description The user who barred it; null for a server with a key */
            barred_by: string | null;
            /** @description Its text; null where no file has it any more */
            content: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description A file that has it */
            file_id: string | null;
            filename: string | null;
            /** @description `passageId` of sources */
            passage_id: string;
        };
        BarredPassageList: {
            /** @description The number of passages in `data` */
            count: number;
            /** @description The newest first */
            data: components["schemas"]["BarredPassage"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        ChatBody: {
            /** @description Who talks to whom, and in what kind of conversation */
            context?: {
                /** @description The coach to talk to; required to start a thread, otherwise the thread's own */
                coachId?: string | null;
                /** @description True demands a bearer token */
                isAuthenticated?: boolean | null;
                /** @description Shown to the coach; `create_knowledge` stores the message as a note, for the coach's own user */
                mode?: string | null;
                /** @description The user who talks, not blank; with a bearer token, its own user. Left out, the new thread is anonymous */
                userId?: string | null;
            } | null;
            /** @description The same as the header `Idempotency-Key`, for browsers, which cannot send it to another origin */
            idempotency_key?: string | null;
            /** @description What the user says: something besides white space */
            message: string;
            /** @description Instead of `thread_id`: a random UUID that the client has made. It becomes the id of the new thread; the message after it may send it again, and goes on with that thread */
            new_thread_id?: string | null;
            /** @description The id of an earlier question, or of its answer: that question is deleted with all that comes after it in its thread, and this one takes its place. `thread_id` may be left out. Excludes `new_thread_id` */
            replaces?: string | null;
            /** @description The thread to go on with; left out, a new one is started */
            thread_id?: string | null;
        };
        Coach: {
            /** @description What to show before the first message; null for nothing */
            greeting: string | null;
            /** @description The `coachId` of other requests */
            id: string;
            /**
             * @description The coach is a persona played by a language model, not a person
             * @constant
             */
            is_ai: true;
            /** @description The coach's full name */
            name: string;
            /** @description Up to six questions to suggest as the first message */
            starters: string[];
            /** @description The coach's professional title */
            title: string;
        };
        CoachList: {
            /** @description The number of coaches in `data` */
            count: number;
            /** @description By name */
            data: components["schemas"]["Coach"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        CoachUsage: {
            /** @description Every day, the earliest first; days are those of UTC */
            data: components["schemas"]["UsageOfDay"][];
            /**
             * Format: date
             * @description The first of these days
             */
            from: string;
            /**
             * Format: date
             * @description The last of these days
             */
            to: string;
            /** @description All days together; who has asked on several counts once among the people */
            totals: {
                /** @description Answers that have a thumbs-down from then */
                feedback_down: number;
                /** @description Answers that have a thumbs-up from then */
                feedback_up: number;
                /** @description Tokens that the model read */
                input_tokens: number;
                /** @description Tokens that the model wrote */
                output_tokens: number;
                /** @description How many different people have asked; who was erased is not counted */
                people: number;
                /** @description Open questions that were first asked then */
                questions_opened: number;
                /** @description Answers that have ended, well or not */
                turns: number;
            };
        };
        Conversation: {
            /** @description The answer that is being written, to stop it or to stream it again; null where there is none */
            active_message_id: string | null;
            coach_id: string;
            coach_profiles: {
                /** @description The coach's full name */
                name: string;
                /** @description The coach's professional title */
                title: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /**
             * @description Who answers
             * @enum {string}
             */
            handled_by: "ai" | "expert";
            /** @description Whether an answer has a thumbs-down */
            has_down: boolean;
            /** Format: uuid */
            id: string;
            is_archived: boolean;
            is_pinned: boolean;
            /** @description Since when somebody waits for the expert; null where nobody does */
            needs_reply_at: string | null;
            /** @description When the takeover ends by itself, unless the expert says something before; null where there is none */
            taken_over_until: string | null;
            /** @description As its user has named it; until then the first message, shortened at a word to at most 80 characters */
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID where no user was named */
            user_id: string;
        };
        ConversationList: {
            /** @description The number of threads in `data` */
            count: number;
            /** @description Most recently updated first; best match first with a search */
            data: components["schemas"]["Conversation"][];
            /** @description The `cursor` of the next page, null on the last */
            next_cursor: string | null;
        };
        CreatePinnedAnswerBody: {
            /** @description What the expert says to it */
            answer: string;
            /** @description Whether it is used; left out, it is */
            is_active?: boolean;
            /** @description The question, as somebody would ask it */
            question: string;
            /** @description Other ways to ask it: up to 20 */
            variants?: string[];
        };
        DeletedPinnedAnswer: {
            answerId: string;
            /** @constant */
            message: "Pinned answer deleted successfully";
        };
        DeltaEvent: {
            text: string;
        };
        DoneEvent: {
            /**
             * @description Who wrote it: the model (`ai`) or the real person behind the coach
             * @enum {string}
             */
            author: "ai" | "expert";
            response_id: string | null;
            /**
             * @description `waiting`: the expert has taken over and will answer; what was sent is a notice that says so, which is not stored
             * @enum {string}
             */
            status: "complete" | "stopped" | "waiting";
        };
        Error: {
            /** @description With the code `already_pinned`: the pinned answer that has the question */
            answerId?: string;
            /** @description What went wrong, in a sentence */
            error: string;
            /** @description What to do about it */
            message?: string;
        };
        /**
         * @description Names an error for programs
         * @enum {string}
         */
        ErrorCode: "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_secret_key" | "unavailable" | "origin_not_allowed" | "rate_limit_exceeded" | "sign_in_first" | "invalid_access_token" | "not_found" | "method_not_allowed" | "missing_scope" | "upload_too_slow" | "too_many_files" | "body_too_large" | "invalid_json" | "malformed_upload" | "invalid_input" | "idempotency_key_reused" | "user_mismatch" | "not_the_coach" | "not_the_expert" | "coach_not_found" | "coach_mismatch" | "thread_not_found" | "message_not_found" | "answer_unfinished" | "not_the_last_answer" | "answer_not_retryable" | "taken_over" | "answer_changed" | "file_not_found" | "passage_not_found" | "question_not_found" | "pinned_answer_not_found" | "already_pinned" | "message_too_long" | "model_refused" | "model_busy" | "model_misconfigured" | "model_unavailable" | "answer_failed" | "model_timed_out" | "internal_error" | "invalid_message" | "too_many_values" | "not_acceptable" | "unsupported_media_type" | "unknown_method" | "unknown_tool";
        ErrorEvent: {
            code: components["schemas"]["ErrorCode"];
            details?: string;
            error: string;
            /** @description The HTTP status that a reply without a stream would have had */
            status: number;
        };
        EventData: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            at?: string;
            message_id?: string;
            /** @description The open question it is about */
            question_id?: string;
            thread_id?: string;
        };
        /**
         * @description `watching`: the first event of a stream; from here on nothing is missed. `missed`: the same, but something before is lost, so read anew what is shown. The others say what has happened
         * @enum {string}
         */
        EventKind: "watching" | "missed" | "message.begun" | "message.completed" | "feedback.up" | "feedback.down" | "feedback.removed" | "takeover.begun" | "takeover.released" | "takeover.expired" | "thread.needs_expert" | "question.opened";
        ExpertMessage: {
            /** @constant */
            author: "expert";
            content: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            id: string;
            /** @description The model backend's id of the answer; null for a user's message */
            response_id: string | null;
            /** @constant */
            role: "assistant";
            /** @constant */
            status: "complete";
            /** Format: uuid */
            thread_id: string;
        };
        Feedback: {
            /** @description Why, in the user's words */
            comment: string | null;
            /** @enum {string} */
            rating: "up" | "down";
        };
        FileList: {
            /** @description The number of files on this page */
            count: number;
            /** @description Best match first; newest first without a search */
            data: components["schemas"]["FoundFile"][];
            limit: number;
            page: number;
            /** @description The number of files on all pages; with a search, counted up to 1,000 */
            total: number;
        };
        FoundFile: {
            /** @enum {string} */
            category: "documents" | "images" | "videos";
            /** @description MIME type */
            contentType: string;
            /** @description Why it is `failed` or `empty`: such a file can be found by its name only; null otherwise */
            error: string | null;
            fileId: string;
            filename: string;
            /** @description How well it matches; null without a search */
            score: number | null;
            /** @description In bytes */
            size: number;
            /** @description The place that matches best; null where there is none to show */
            snippet: string | null;
            /**
             * @description How far its indexing is. `empty`: no text was found in it
             * @enum {string}
             */
            status: "queued" | "indexing" | "ready" | "empty" | "failed";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            uploadedAt: string;
        };
        KnowledgeFile: {
            /** @enum {string} */
            category: "documents" | "images" | "videos";
            /** @description MIME type */
            contentType: string;
            fileId: string;
            filename: string;
            /** @description In bytes */
            size: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            uploadedAt: string;
        };
        Message: {
            /**
             * @description With `include=author`: who wrote it: the user, the model (`ai`) or the real person behind the coach
             * @enum {string}
             */
            author?: "user" | "ai" | "expert";
            /** @description With `include=basis`, for the expert behind the coach: what the answer was made with; null for a user's message */
            basis?: components["schemas"]["AnswerBasis"] | null;
            content: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description With `include=status`: the code of the error of a failed answer, an ErrorCode; otherwise null */
            error_code?: string | null;
            /** @description With `include=feedback`: what the thread's user thinks of the answer; null where it was not rated */
            feedback?: components["schemas"]["Feedback"] | null;
            id: string;
            /** @description The model backend's id of the answer; null for a user's message */
            response_id: string | null;
            /** @enum {string} */
            role: "user" | "assistant";
            /** @description With `include=sources`: what the answer draws on; none for a user's message */
            sources?: components["schemas"]["Source"][];
            /**
             * @description With `include=status`: how an answer is; `complete` for a user's message
             * @enum {string}
             */
            status?: "waiting" | "streaming" | "complete" | "stopped" | "failed";
            /** Format: uuid */
            thread_id: string;
        };
        MessageList: {
            /** @description The number of messages of the whole thread; answers without text do not count */
            count: number;
            /** @description Oldest first, or newest first with `order=desc` */
            data: components["schemas"]["Message"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        MetaEvent: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            message_id: string;
            /** Format: uuid */
            thread_id: string;
        };
        OpenQuestion: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            first_asked_at: string;
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            last_asked_at: string;
            /** @description The answer there that did not answer it */
            message_id: string | null;
            /** @description By how many different people */
            people: number;
            /** @description The pinned answer that answers it */
            pinned_answer_id: string | null;
            /** @description The question in one sentence, without personal details; null until there is one: see `message_id` */
            question: string | null;
            /** @description Why it is here: the model did not know (`unknown`), an answer has a thumbs-down (`feedback`), somebody asked for a human (`human`) */
            reasons: ("unknown" | "feedback" | "human")[];
            /** @enum {string} */
            status: "open" | "answered" | "dismissed";
            /** @description Where it was asked last */
            thread_id: string | null;
            /** @description How often it was asked */
            times: number;
        };
        PassageSource: {
            fileId: string;
            filename: string;
            heading: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "passage";
            page: number | null;
            passageId: string;
            quote: string;
            score: number;
        };
        PinnedAnswer: {
            answer: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description How often it was given word for word */
            hits: number;
            /** Format: uuid */
            id: string;
            /** @description Whether it is used */
            is_active: boolean;
            last_hit_at: string | null;
            /** @description How often the model was given it */
            near_hits: number;
            question: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description Other ways to ask the question */
            variants: string[];
            /** @description Counted up with every change */
            version: number;
            /** @description The user who wrote it; null for a server with a key, and for changes by hand */
            written_by: string | null;
        };
        PinnedAnswerList: {
            /** @description The number of pinned answers in `data` */
            count: number;
            /** @description The newest change first */
            data: components["schemas"]["PinnedAnswer"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        PinnedAnswerSource: {
            isWordForWord: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "pinned_answer";
            pinnedAnswerId: string;
            question: string;
            quote: string;
            version: number;
        };
        PinnedAnswerWithVersions: {
            answer: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description How often it was given word for word */
            hits: number;
            /** Format: uuid */
            id: string;
            /** @description Whether it is used */
            is_active: boolean;
            last_hit_at: string | null;
            /** @description How often the model was given it */
            near_hits: number;
            question: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description Other ways to ask the question */
            variants: string[];
            /** @description Counted up with every change */
            version: number;
            /** @description What it has said, the current version first; at most the newest 100 */
            versions: {
                answer: string;
                /** @description Whether it is used */
                is_active: boolean;
                question: string;
                /** @description Other ways to ask the question */
                variants: string[];
                /** @description Counted up with every change */
                version: number;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC
                 * @example 2026-11-20T16:03:33.140Z
                 */
                written_at: string;
                /** @description The user who wrote it; null for a server with a key, and for changes by hand */
                written_by: string | null;
            }[];
            /** @description The user who wrote it; null for a server with a key, and for changes by hand */
            written_by: string | null;
        };
        QuestionList: {
            /** @description The number of questions in `data` */
            count: number;
            /** @description Those that most people have asked first */
            data: components["schemas"]["OpenQuestion"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        RateAnswerBody: {
            /** @description Why, in the user's words; left out, there is none, and one that was given before goes */
            comment?: string | null;
            /** @description What the user thinks of the answer; null takes it back */
            rating: ("up" | "down") | null;
        };
        RatedAnswer: {
            comment: string | null;
            messageId: string;
            /** @description Null: the answer is not rated */
            rating: ("up" | "down") | null;
        };
        RateLimitError: {
            /** @description What went wrong, in a sentence */
            error: string;
            /** @description What to do about it */
            message: string;
            /** @description Seconds to wait */
            retryAfter: number;
        };
        ReviseAnswerBody: {
            /** @description What the expert says instead */
            answer: string;
            /** @description Passages that misled: `passageId` of the answer's sources. No answer draws on them any more */
            bar_passages?: string[] | null;
            /** @description Makes the request safe to repeat for 24 hours: it gets the same reply, and nobody is told twice */
            idempotency_key?: string | null;
            /** @description Whether the person reads the correction in their thread, as a message of the expert; left out, no */
            notify?: boolean | null;
            /** @description What it answers, as somebody would ask it. It may be left out only where the answer has led to an open question: what the user has said is never taken for it, since a pinned answer outlives its user */
            question?: string | null;
        };
        RevisedAnswer: {
            /** @description The message that tells the person; null without `notify` */
            messageId: string | null;
            /**
             * Format: uuid
             * @description The pinned answer that has the correction
             */
            pinnedAnswerId: string;
            /** @description Which of its versions: 1 where it is new */
            version: number;
        };
        SayAsExpertBody: {
            /** @description What the expert says: something besides white space */
            content: string;
            /** @description Makes the request safe to repeat for 24 hours: it gets the same message, and nothing is said twice */
            idempotency_key?: string | null;
        };
        ServerError: {
            /** @description For the operators of the calling application */
            details?: string;
            /** @description What went wrong, in a sentence */
            error: string;
        };
        Session: {
            /** @description A JWT, for `Authorization: Bearer` */
            access_token: string;
            /** @description Seconds: 3600 */
            expires_in: number;
            /** @description For the next refresh; every one gives a new one */
            refresh_token: string;
            /** @constant */
            token_type: "bearer";
            /** @description With a password only */
            user?: {
                email: string;
                id: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        Source: components["schemas"]["PassageSource"] | components["schemas"]["PinnedAnswerSource"];
        SourcesEvent: components["schemas"]["Source"][];
        Thread: {
            /** @description The answer that is being written, to stop it or to stream it again; null where there is none */
            active_message_id?: string | null;
            coach_id: string;
            coach_profiles: {
                /** @description The coach's full name */
                name: string;
                /** @description The coach's professional title */
                title: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /**
             * @description Who answers
             * @enum {string}
             */
            handled_by?: "ai" | "expert";
            /** Format: uuid */
            id: string;
            is_archived?: boolean;
            is_pinned?: boolean;
            /** @description When the takeover ends by itself, unless the expert says something before; null where there is none */
            taken_over_until?: string | null;
            /** @description As its user has named it; until then the first message, shortened at a word to at most 80 characters */
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID where no user was named */
            user_id: string;
        };
        ThreadList: {
            /** @description The number of threads in `data` */
            count: number;
            /** @description Most recently updated first; best match first with a search */
            data: components["schemas"]["Thread"][];
            /** @description Only where a page was asked for: the `cursor` of the next one, null on the last */
            next_cursor?: string | null;
        };
        ThreadWithState: {
            /** @description The answer that is being written, to stop it or to stream it again; null where there is none */
            active_message_id: string | null;
            coach_id: string;
            coach_profiles: {
                /** @description The coach's full name */
                name: string;
                /** @description The coach's professional title */
                title: string;
            };
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /**
             * @description Who answers
             * @enum {string}
             */
            handled_by: "ai" | "expert";
            /** Format: uuid */
            id: string;
            is_archived: boolean;
            is_pinned: boolean;
            /** @description When the takeover ends by itself, unless the expert says something before; null where there is none */
            taken_over_until: string | null;
            /** @description As its user has named it; until then the first message, shortened at a word to at most 80 characters */
            title: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID where no user was named */
            user_id: string;
        };
        TriedAnswer: {
            /** @description The open question that a turn would have kept, since the model does not know; null: none */
            asks_expert: string | null;
            /**
             * @description `expert`: the pinned answer, word for word; `ai`: what the model has written now
             * @enum {string}
             */
            author: "ai" | "expert";
            text: string;
        };
        TriedPinnedAnswer: {
            answer: string;
            /** Format: uuid */
            id: string;
            question: string;
            version: number;
        };
        TriedQuestion: {
            /** @description What would be said; null where that was not asked for */
            answer: components["schemas"]["TriedAnswer"] | null;
            /** @description The pinned answer that would be given word for word, without the model; null: none */
            exact: components["schemas"]["TriedPinnedAnswer"] | null;
            /** @description Pinned answers that the model would be given, best first */
            near: components["schemas"]["TriedPinnedAnswer"][];
            /** @description Passages that the model would be given, best first */
            passages: components["schemas"]["PassageSource"][];
        };
        TryQuestionBody: {
            /** @description Whether to say what would be answered, too: that asks the model, and costs what a turn costs */
            answer?: boolean | null;
            /** @description What a person might ask as the first message of a thread */
            question: string;
        };
        UnbarredPassage: {
            /** @constant */
            message: "The passage may be used again";
            passageId: string;
        };
        UpdatePinnedAnswerBody: {
            /** @description What the expert says to it */
            answer?: string;
            /** @description Whether it is used */
            is_active?: boolean;
            /** @description The question, as somebody would ask it */
            question?: string;
            /** @description Other ways to ask it: up to 20. They replace all earlier ones */
            variants?: string[];
        };
        UpdateThreadBody: {
            /** @description Whether it is put away; lists can leave it out */
            is_archived?: boolean;
            /** @description Whether it is kept at hand; the order of lists does not change */
            is_pinned?: boolean;
            /** @description What the thread is called; line breaks become spaces */
            title?: string;
        };
        UploadReply: {
            failedFiles: {
                /** @description Why the file was not accepted */
                error: string;
                filename: string;
            }[];
            totalFailed: number;
            totalUploaded: number;
            uploadedFiles: components["schemas"]["KnowledgeFile"][];
        };
        UsageEvent: {
            input_tokens: number;
            output_tokens: number;
        };
        UsageOfDay: {
            /** Format: date */
            day: string;
            /** @description Answers that have a thumbs-down from then */
            feedback_down: number;
            /** @description Answers that have a thumbs-up from then */
            feedback_up: number;
            /** @description Tokens that the model read */
            input_tokens: number;
            /** @description Tokens that the model wrote */
            output_tokens: number;
            /** @description How many different people have asked; who was erased is not counted */
            people: number;
            /** @description Open questions that were first asked then */
            questions_opened: number;
            /** @description Answers that have ended, well or not */
            turns: number;
        };
    };
    responses: never;
    parameters: {
        /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
        "X-Request-Id": string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds to wait */
        "Retry-After": number;
        /** @description The answer, to follow it from another connection or to stop it */
        "X-Message-Id": string;
        /** @description Requests that the window with the least remaining allows: of a minute, an hour or a day */
        "X-RateLimit-Limit": number;
        /** @description What is left of it */
        "X-RateLimit-Remaining": number;
        /** @description When the window begins again, in epoch seconds */
        "X-RateLimit-Reset": number;
        /** @description Leads to the log lines of the request: the caller's own where it sent a sane one */
        "X-Request-Id": string;
        /** @description The thread, to pass as `thread_id` in later messages */
        "X-Thread-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    signIn: {
        parameters: {
            query: {
                grant_type: "password" | "refresh_token";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** Format: password */
                    password: string;
                } | {
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description Refused, in the words of Supabase Auth */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJFUzI1NiIs…",
                     *       "token_type": "bearer",
                     *       "expires_in": 3600,
                     *       "refresh_token": "v1.MR5m…",
                     *       "user": {
                     *         "id": "0d6a4f6e-2f5b-4d8e-9a39-5b7f1d3c8e21",
                     *         "email": "ada@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: it gets the same thread, message and answer, and the model is not asked again */
                "Idempotency-Key"?: string;
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChatBody"];
            };
        };
        responses: {
            /** @description The answer, in the form that the `Accept` header asks for */
            200: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Thread-Id": components["headers"]["X-Thread-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message": {
                     *         "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *         "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *         "content": "Listen first.\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "status": "complete",
                     *       "author": "ai"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerObject"];
                    "text/event-stream": string;
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_json" | "invalid_input" | "coach_mismatch";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "user_mismatch" | "not_the_coach";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "thread_not_found" | "message_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "taken_over";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large" | "message_too_long";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "idempotency_key_reused" | "model_refused";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model has failed */
            502: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_misconfigured" | "model_unavailable" | "answer_failed";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable" | "model_busy";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model did not answer in time */
            504: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_timed_out";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    retryAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that began the answer */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer, in the form that the `Accept` header asks for */
            200: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Thread-Id": components["headers"]["X-Thread-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message": {
                     *         "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *         "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *         "content": "Listen first.\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "status": "complete",
                     *       "author": "ai"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerObject"];
                    "text/event-stream": string;
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "message_not_found" | "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "not_the_last_answer" | "answer_not_retryable" | "taken_over";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "message_too_long";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_refused";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model has failed */
            502: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_misconfigured" | "model_unavailable" | "answer_failed";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable" | "model_busy";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model did not answer in time */
            504: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_timed_out";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    stopAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that began the answer */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer as it is kept; one that had ended before is returned as it was */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message": {
                     *         "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *         "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *         "content": "Listen first.\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "status": "complete",
                     *       "author": "ai"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerObject"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "message_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    followAnswer: {
        parameters: {
            query?: {
                /** @description The same, for browsers, which cannot send the header to another origin by themselves. An `EventSource` that reconnects sends the header, and the address as it was: the header counts where both are sent */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event that arrived, as it came */
                "Last-Event-ID"?: string;
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that began the answer */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer, in the form that the `Accept` header asks for */
            200: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Thread-Id": components["headers"]["X-Thread-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message": {
                     *         "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *         "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *         "content": "Listen first.\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "status": "complete",
                     *       "author": "ai"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerObject"];
                    "text/event-stream": string;
                };
            };
            /** @description Nothing follows: the text has ended, and the reader has all of it */
            204: {
                headers: {
                    "X-Message-Id": components["headers"]["X-Message-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Thread-Id": components["headers"]["X-Thread-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "message_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "answer_changed";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "message_too_long";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_refused";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model has failed */
            502: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_misconfigured" | "model_unavailable" | "answer_failed";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable" | "model_busy";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model did not answer in time */
            504: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_timed_out";
                    /** @description The answer that has failed */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread, where the message is stored all the same */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listCoaches: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coaches; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "demo-coach",
                     *           "name": "Mara Lindqvist",
                     *           "title": "Leadership Coach",
                     *           "greeting": "Hello, I am Mara. What is on your mind?",
                     *           "starters": [
                     *             "How do I start with a new team?",
                     *             "How do I give feedback that lands?"
                     *           ],
                     *           "is_ai": true
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CoachList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    getCoach: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach: `id` in the list of coaches */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coach */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "demo-coach",
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "is_ai": true
                     *     }
                     */
                    "application/json": components["schemas"]["Coach"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listPinnedAnswers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Only those that are used, or only those that are not; left out, both */
                is_active?: "true" | "false";
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
                /** @description Words, or parts of words, that question, variants and answer together must hold; case is ignored */
                search?: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pinned answers; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47",
                     *           "question": "How do I start with a new team?",
                     *           "variants": [
                     *             "What should I do in my first week as a manager?"
                     *           ],
                     *           "answer": "Listen to each of them for half an hour before you change anything.",
                     *           "is_active": true,
                     *           "version": 2,
                     *           "written_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *           "hits": 12,
                     *           "near_hits": 31,
                     *           "last_hit_at": "2026-11-20T16:03:33.140Z",
                     *           "created_at": "2026-11-18T09:30:00.000Z",
                     *           "updated_at": "2026-11-19T08:12:00.000Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PinnedAnswerList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    createPinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePinnedAnswerBody"];
            };
        };
        responses: {
            /** @description The pinned answer */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47",
                     *       "question": "How do I start with a new team?",
                     *       "variants": [
                     *         "What should I do in my first week as a manager?"
                     *       ],
                     *       "answer": "Listen to each of them for half an hour before you change anything.",
                     *       "is_active": true,
                     *       "version": 1,
                     *       "written_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *       "hits": 0,
                     *       "near_hits": 0,
                     *       "last_hit_at": "2026-11-20T16:03:33.140Z",
                     *       "created_at": "2026-11-18T09:30:00.000Z",
                     *       "updated_at": "2026-11-19T08:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PinnedAnswer"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "already_pinned";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    getPinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pinned answer with its versions */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47",
                     *       "question": "How do I start with a new team?",
                     *       "variants": [
                     *         "What should I do in my first week as a manager?"
                     *       ],
                     *       "answer": "Listen to each of them for half an hour before you change anything.",
                     *       "is_active": true,
                     *       "version": 2,
                     *       "written_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *       "hits": 12,
                     *       "near_hits": 31,
                     *       "last_hit_at": "2026-11-20T16:03:33.140Z",
                     *       "created_at": "2026-11-18T09:30:00.000Z",
                     *       "updated_at": "2026-11-19T08:12:00.000Z",
                     *       "versions": [
                     *         {
                     *           "question": "How do I start with a new team?",
                     *           "variants": [
                     *             "What should I do in my first week as a manager?"
                     *           ],
                     *           "answer": "Listen to each of them for half an hour before you change anything.",
                     *           "is_active": true,
                     *           "version": 2,
                     *           "written_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *           "written_at": "2026-11-19T08:12:00.000Z"
                     *         },
                     *         {
                     *           "question": "How do I start with a new team?",
                     *           "variants": [
                     *             "What should I do in my first week as a manager?"
                     *           ],
                     *           "answer": "Listen to each of them before you change anything.",
                     *           "is_active": true,
                     *           "version": 1,
                     *           "written_by": null,
                     *           "written_at": "2026-11-18T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PinnedAnswerWithVersions"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "pinned_answer_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    deletePinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pinned answer is gone */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Pinned answer deleted successfully",
                     *       "answerId": "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedPinnedAnswer"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "pinned_answer_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    updatePinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePinnedAnswerBody"];
            };
        };
        responses: {
            /** @description The pinned answer as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5d1f0c7e-9a3b-4f6e-8b52-6f0c1d2e3a47",
                     *       "question": "How do I start with a new team?",
                     *       "variants": [
                     *         "What should I do in my first week as a manager?"
                     *       ],
                     *       "answer": "Listen to each of them for half an hour before you change anything.",
                     *       "is_active": true,
                     *       "version": 2,
                     *       "written_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *       "hits": 12,
                     *       "near_hits": 31,
                     *       "last_hit_at": "2026-11-20T16:03:33.140Z",
                     *       "created_at": "2026-11-18T09:30:00.000Z",
                     *       "updated_at": "2026-11-19T08:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PinnedAnswer"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "pinned_answer_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "already_pinned";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listBarredPassages: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert asks */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The barred passages; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "passage_id": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "content": "Listen before you change anything.",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "barred_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *           "created_at": "2026-11-19T08:12:00.000Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["BarredPassageList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    barPassage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert asks */
                coachId: string;
                /** @description The passage: `passageId` in the sources of an answer */
                passageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passage, with its text where a file has it */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passage_id": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *       "content": "Listen before you change anything.",
                     *       "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *       "filename": "First ninety days.md",
                     *       "barred_by": "0b7c9d3e-4f5a-4b6c-8d7e-9f0a1b2c3d4e",
                     *       "created_at": "2026-11-19T08:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BarredPassage"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "passage_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    unbarPassage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert asks */
                coachId: string;
                /** @description The passage: `passageId` in the sources of an answer */
                passageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passage is no longer barred */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The passage may be used again",
                     *       "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60"
                     *     }
                     */
                    "application/json": components["schemas"]["UnbarredPassage"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "passage_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    watchCoach: {
        parameters: {
            query?: {
                /** @description The same, for pages, which cannot send that header to another origin; the header counts where both are sent */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event that arrived, as it came */
                "Last-Event-ID"?: string;
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach to watch */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they happen */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
                /** @description Which questions */
                status?: "open" | "answered" | "dismissed";
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The questions; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31",
                     *           "question": "How long should the first fast be?",
                     *           "status": "open",
                     *           "times": 7,
                     *           "people": 5,
                     *           "first_asked_at": "2026-11-02T08:11:05.004Z",
                     *           "last_asked_at": "2026-11-20T16:03:33.140Z",
                     *           "reasons": [
                     *             "unknown",
                     *             "feedback"
                     *           ],
                     *           "pinned_answer_id": null,
                     *           "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["QuestionList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
                /** @description `id` in the list of questions */
                questionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerQuestionBody"];
            };
        };
        responses: {
            /** @description The question, with its pinned answer */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31",
                     *       "question": "How long should the first fast be?",
                     *       "status": "answered",
                     *       "times": 7,
                     *       "people": 5,
                     *       "first_asked_at": "2026-11-02T08:11:05.004Z",
                     *       "last_asked_at": "2026-11-20T16:03:33.140Z",
                     *       "reasons": [
                     *         "unknown",
                     *         "feedback"
                     *       ],
                     *       "pinned_answer_id": "7d2f6c1a-8d0e-4a52-9b1c-3e5a4c2f1b90",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenQuestion"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "question_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    dismissQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
                /** @description `id` in the list of questions */
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31",
                     *       "question": "How long should the first fast be?",
                     *       "status": "dismissed",
                     *       "times": 7,
                     *       "people": 5,
                     *       "first_asked_at": "2026-11-02T08:11:05.004Z",
                     *       "last_asked_at": "2026-11-20T16:03:33.140Z",
                     *       "reasons": [
                     *         "unknown",
                     *         "feedback"
                     *       ],
                     *       "pinned_answer_id": null,
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenQuestion"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "question_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    reopenQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
                /** @description `id` in the list of questions */
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31",
                     *       "question": "How long should the first fast be?",
                     *       "status": "open",
                     *       "times": 7,
                     *       "people": 5,
                     *       "first_asked_at": "2026-11-02T08:11:05.004Z",
                     *       "last_asked_at": "2026-11-20T16:03:33.140Z",
                     *       "reasons": [
                     *         "unknown",
                     *         "feedback"
                     *       ],
                     *       "pinned_answer_id": null,
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenQuestion"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "question_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string;
                /** @description Only threads updated on this day (UTC), at this time, or later */
                from?: string;
                /** @description `down`: only threads in which an answer has a thumbs-down */
                has_feedback?: "down";
                /** @description How many threads a page has at most */
                limit?: number;
                /** @description `true`: only threads in which somebody waits for the expert */
                needs_reply?: "true";
                /** @description Words to look for in titles and messages; any of them may match, the best match comes first. The last word may go on. An empty one counts as left out */
                search?: string;
                /** @description Only threads updated on this day (UTC), at this time, or earlier */
                to?: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversations; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "title": "How do I start with a new team?",
                     *           "created_at": "2026-11-20T16:03:33.140Z",
                     *           "updated_at": "2026-11-20T16:03:35.902Z",
                     *           "coach_id": "demo-coach",
                     *           "user_id": "user-1",
                     *           "coach_profiles": {
                     *             "name": "Mara Lindqvist",
                     *             "title": "Leadership Coach"
                     *           },
                     *           "active_message_id": null,
                     *           "handled_by": "ai",
                     *           "taken_over_until": null,
                     *           "is_pinned": false,
                     *           "is_archived": false,
                     *           "needs_reply_at": null,
                     *           "has_down": true
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    tryQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach that is asked */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryQuestionBody"];
            };
        };
        responses: {
            /** @description What would be used, and what would be said */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exact": null,
                     *       "near": [],
                     *       "passages": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "answer": {
                     *         "text": "I do not know that. I have passed your question on.",
                     *         "author": "ai",
                     *         "asks_expert": "May I delegate feedback?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TriedQuestion"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large" | "message_too_long";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_refused";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model has failed */
            502: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_misconfigured" | "model_unavailable" | "answer_failed";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable" | "model_busy";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description The language model did not answer in time */
            504: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "model_timed_out";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The first day (UTC); left out, the 30th up to the last one */
                from?: string;
                /** @description The last day (UTC), which counts too; left out, today. At most 366 days */
                to?: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "day": "2026-11-20",
                     *           "turns": 214,
                     *           "input_tokens": 391020,
                     *           "output_tokens": 40118,
                     *           "people": 61,
                     *           "questions_opened": 3,
                     *           "feedback_up": 12,
                     *           "feedback_down": 2
                     *         }
                     *       ],
                     *       "from": "2026-11-20",
                     *       "to": "2026-11-20",
                     *       "totals": {
                     *         "turns": 214,
                     *         "input_tokens": 391020,
                     *         "output_tokens": 40118,
                     *         "people": 61,
                     *         "questions_opened": 3,
                     *         "feedback_up": 12,
                     *         "feedback_down": 2
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CoachUsage"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    searchFiles: {
        parameters: {
            query: {
                /** @description Only files of this category */
                category?: "documents" | "images" | "videos";
                /** @description The coach whose knowledge it is */
                coachId: string;
                /** @description How many files a page has */
                limit?: number;
                /** @description Which page of the matches */
                page?: number;
                /** @description Words to look for in names and content; any of them may match, the best match comes first */
                search?: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of files */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "size": 2381,
                     *           "contentType": "text/markdown",
                     *           "uploadedAt": "2026-11-19T08:12:00.000Z",
                     *           "category": "documents",
                     *           "status": "ready",
                     *           "error": null,
                     *           "score": 7.31,
                     *           "snippet": "Listen before you change anything."
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "total": 1,
                     *       "page": 1,
                     *       "limit": 20
                     *     }
                     */
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    uploadFiles: {
        parameters: {
            query: {
                /** @description The coach whose knowledge it is */
                coachId: string;
            };
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: the same files are not added again */
                "Idempotency-Key"?: string;
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    files: string[];
                };
            };
        };
        responses: {
            /** @description What became of each file */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uploadedFiles": [
                     *         {
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "size": 2381,
                     *           "contentType": "text/markdown",
                     *           "uploadedAt": "2026-11-19T08:12:00.000Z",
                     *           "category": "documents"
                     *         }
                     *       ],
                     *       "failedFiles": [
                     *         {
                     *           "filename": "notes.rtf",
                     *           "error": "The file type is not supported; supported are PDF, …"
                     *         }
                     *       ],
                     *       "totalUploaded": 1,
                     *       "totalFailed": 1
                     *     }
                     */
                    "application/json": components["schemas"]["UploadReply"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "malformed_upload";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_coach";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request took too long to arrive */
            408: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "upload_too_slow";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large" | "too_many_files";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "idempotency_key_reused";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query: {
                /** @description The coach whose knowledge it is */
                coachId: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file to delete: `fileId` in the reply to an upload or a search */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is gone */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "File deleted successfully",
                     *       "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44"
                     *     }
                     */
                    "application/json": {
                        fileId: string;
                        /** @constant */
                        message: "File deleted successfully";
                    };
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_coach";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "coach_not_found" | "file_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/call",
                 *       "params": {
                 *         "name": "chat",
                 *         "arguments": {
                 *           "message": "How do I start with a new team?",
                 *           "context": {
                 *             "coachId": "demo-coach"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    jsonrpc: "2.0";
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer; of a tool call as a stream of server-sent events, its progress first where that was asked for */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description A notification was taken */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No message, or one that makes no sense */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_json" | "invalid_message";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32700,
                     *         "message": "Invalid JSON body",
                     *         "data": {
                     *           "status": 400,
                     *           "code": "invalid_json"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            code: number;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id?: string | number | null;
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such method */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unknown_method";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32601,
                     *         "message": "Method not found"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            code: number;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id?: string | number | null;
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client does not take what the server may send */
            406: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "not_acceptable";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32000,
                     *         "message": "The header Accept must name application/json and text/event-stream",
                     *         "data": {
                     *           "status": 406,
                     *           "code": "not_acceptable"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            code: number;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id?: string | number | null;
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The message is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large" | "too_many_values";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32000,
                     *         "message": "The message is larger than 4 MB; upload larger files over HTTP",
                     *         "data": {
                     *           "status": 413,
                     *           "code": "body_too_large"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            code: number;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id?: string | number | null;
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description No JSON */
            415: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unsupported_media_type";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32000,
                     *         "message": "Unsupported Media Type: Content-Type must be application/json"
                     *       }
                     *     }
                     */
                    "application/json": {
                        error: {
                            code: number;
                            message: string;
                        } & {
                            [key: string]: unknown;
                        };
                        id?: string | number | null;
                        /** @constant */
                        jsonrpc: "2.0";
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    getThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "title": "How do I start with a new team?",
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "updated_at": "2026-11-20T16:03:35.902Z",
                     *       "coach_id": "demo-coach",
                     *       "user_id": "user-1",
                     *       "coach_profiles": {
                     *         "name": "Mara Lindqvist",
                     *         "title": "Leadership Coach"
                     *       },
                     *       "active_message_id": null,
                     *       "handled_by": "ai",
                     *       "taken_over_until": null,
                     *       "is_pinned": false,
                     *       "is_archived": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    deleteThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread is gone */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Thread deleted successfully",
                     *       "threadId": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        message: "Thread deleted successfully";
                        threadId: string;
                    };
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    updateThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateThreadBody"];
            };
        };
        responses: {
            /** @description The thread as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "title": "The new team",
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "updated_at": "2026-11-20T16:03:35.902Z",
                     *       "coach_id": "demo-coach",
                     *       "user_id": "user-1",
                     *       "coach_profiles": {
                     *         "name": "Mara Lindqvist",
                     *         "title": "Leadership Coach"
                     *       },
                     *       "active_message_id": null,
                     *       "handled_by": "ai",
                     *       "taken_over_until": null,
                     *       "is_pinned": false,
                     *       "is_archived": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    watchThread: {
        parameters: {
            query?: {
                /** @description The same, for pages, which cannot send that header to another origin; the header counts where both are sent */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event that arrived, as it came */
                "Last-Event-ID"?: string;
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread to watch */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, as they happen */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description What each message shows besides, comma separated: `status` (with the error of failed answers; then answers that have no text, or none yet, are listed too), `sources`, `feedback`, `author`, and for the expert behind the coach `basis` */
                include?: string;
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
                /** @description `asc`, as usual: oldest first; `desc`: newest first */
                order?: "asc" | "desc";
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages of user and coach */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
                     *           "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "content": "How do I start with a new team?",
                     *           "role": "user",
                     *           "response_id": null,
                     *           "created_at": "2026-11-20T16:03:33.140Z"
                     *         },
                     *         {
                     *           "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *           "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "content": "Listen first.\nThen ask what should stay.",
                     *           "role": "assistant",
                     *           "response_id": "resp_68a1f0c2",
                     *           "created_at": "2026-11-20T16:03:33.140Z"
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    sayAsExpert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread: `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SayAsExpertBody"];
            };
        };
        responses: {
            /** @description The message as lists show it with `include=status,author` */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "content": "I am here now. Tell me about the first week.",
                     *       "role": "assistant",
                     *       "response_id": null,
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "status": "complete",
                     *       "author": "expert"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertMessage"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "idempotency_key_reused";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    rateAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The answer: `X-Message-Id` of its reply, or `id` in a list of messages */
                messageId: string;
                /** @description The thread of the answer */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateAnswerBody"];
            };
        };
        responses: {
            /** @description The feedback as it is stored now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "messageId": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "rating": "down",
                     *       "comment": "Too general for my team."
                     *     }
                     */
                    "application/json": components["schemas"]["RatedAnswer"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found" | "message_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "answer_unfinished";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    reviseAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The answer that is wrong: `id` in a list of messages */
                messageId: string;
                /** @description The thread of the answer */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviseAnswerBody"];
            };
        };
        responses: {
            /** @description The pinned answer, and the message to the person */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pinnedAnswerId": "3d0f6c51-9a7e-4b55-8a44-1f6f0c0f7e21",
                     *       "version": 1,
                     *       "messageId": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["RevisedAnswer"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input" | "invalid_json";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found" | "message_not_found" | "passage_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Something else is in the way */
            409: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "answer_unfinished";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "body_too_large";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with another request, or the language model declines to answer */
            422: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "idempotency_key_reused";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    releaseThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread: `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "title": "How do I start with a new team?",
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "updated_at": "2026-11-20T16:03:35.902Z",
                     *       "coach_id": "demo-coach",
                     *       "user_id": "user-1",
                     *       "coach_profiles": {
                     *         "name": "Mara Lindqvist",
                     *         "title": "Leadership Coach"
                     *       },
                     *       "active_message_id": null,
                     *       "handled_by": "ai",
                     *       "taken_over_until": null,
                     *       "is_pinned": false,
                     *       "is_archived": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    takeOver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread: `thread_id` of an answer, or `id` in a list of threads */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The thread as it is now */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "title": "How do I start with a new team?",
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "updated_at": "2026-11-20T16:03:35.902Z",
                     *       "coach_id": "demo-coach",
                     *       "user_id": "user-1",
                     *       "coach_profiles": {
                     *         "name": "Mara Lindqvist",
                     *         "title": "Leadership Coach"
                     *       },
                     *       "active_message_id": null,
                     *       "handled_by": "expert",
                     *       "taken_over_until": "2026-11-20T17:03:33.140Z",
                     *       "is_pinned": false,
                     *       "is_archived": false
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "not_the_expert";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing for this key and user */
            404: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "thread_not_found";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
    listThreads: {
        parameters: {
            query?: {
                /** @description Only threads that are archived, or only those that are not; left out, both */
                archived?: "true" | "false";
                /** @description Only threads with this coach; an empty one counts as left out */
                coachId?: string;
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description `state`: with `active_message_id`, `handled_by`, `taken_over_until`, `is_pinned` and `is_archived` of each thread */
                include?: "state";
                /** @description Asks for a page of at most so many entries instead of all */
                limit?: number;
                /** @description Words to look for in titles and messages; any of them may match, the best match comes first. The last word may go on. An empty one counts as left out */
                search?: string;
            };
            header?: {
                /** @description Your own id of the request: letters, digits, `-`, `_` and `=`, at most 255 of them, and no more than 32 letters and digits in a row. What looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The user whose threads to list: any id that is not blank, as chats were sent with; `me` with an access token */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The threads; none is an empty list */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "title": "How do I start with a new team?",
                     *           "created_at": "2026-11-20T16:03:33.140Z",
                     *           "updated_at": "2026-11-20T16:03:35.902Z",
                     *           "coach_id": "demo-coach",
                     *           "user_id": "user-1",
                     *           "coach_profiles": {
                     *             "name": "Mara Lindqvist",
                     *             "title": "Leadership Coach"
                     *           }
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadList"];
                };
            };
            /** @description The request must be changed */
            400: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "invalid_input";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No valid API key, or no valid access token */
            401: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_access_token" | "sign_in_first";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key, the page or the user may not do this */
            403: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "origin_not_allowed" | "missing_scope" | "user_mismatch";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A rate limit is exceeded */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "rate_limit_exceeded";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitError"];
                };
            };
            /** @description The service has failed */
            500: {
                headers: {
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "internal_error";
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
            /** @description A backend is unavailable, or the language model is busy */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    /** @description Names the error for programs: the sentence in the body may change */
                    "X-Error-Code": "unavailable";
                    /** @description Once the key was found valid */
                    "X-RateLimit-Limit"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Remaining"?: number;
                    /** @description Once the key was found valid */
                    "X-RateLimit-Reset"?: number;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerError"];
                };
            };
        };
    };
}
