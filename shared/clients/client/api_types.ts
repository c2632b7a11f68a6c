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
         * Sign in, or renew a session
         * @description With a password, or with the refresh token of an earlier session. Access tokens expire after an hour: refresh about five minutes before that.
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
         * @description Starts a conversation (`context.coachId`) or continues one (`thread_id`) and streams the answer. Once a message is accepted, it is stored and answered in full, even if nobody reads the answer: see `followAnswer` and `stopAnswer`. With `Accept: application/json`, the reply is one object, sent when the answer has ended.
         *
         *     For a signed-in user, also send the bearer token and `context.isAuthenticated: true`.
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
         * @description Runs the last answer of a thread again, in place, whatever its status. The message and the history before it are the same; the coach's files are searched again. The previous text stays until the new run has produced some, and is restored if the new run fails or is stopped before its first word. If the answer is still being written, no new run starts: the reply follows the current one. The request has no body.
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
         * Stop an answer
         * @description Cancels the model call of a running answer, from any connection. The text so far is stored as the message.
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
         * @description Streams an answer from the beginning, or from after the last event that the reader received, and then the rest as it is written. Text arrives about once a second. The `id:` of every event is the number of characters so far.
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
         * @description All active coaches that the caller may talk to, by name. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["listCoaches"];
        put?: never;
        /**
         * Make a coach
         * @description Makes an unpublished coach, for a signed-in user who is an owner of another one, if the account allows that. Nobody can talk to it until it is published.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["createCoach"];
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
        /**
         * Delete a coach
         * @description Deletes a coach for everybody: its threads, files, answers and everything else that is its own are erased soon after. `confirm`, in the body or the query, has to be its published name.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deleteCoach"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/acts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See who did what to a coach
         * @description For owners. What experts, servers and the operator did in the last year: who was invited, added or removed, what was published. IDs and times, never what somebody wrote. With `limit` or `cursor`, one page of it.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listActs"];
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
         * @description All pinned answers, most recently changed first. With `limit` or `cursor`, one page of them. Like all operations on pinned answers, only for the expert behind the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listPinnedAnswers"];
        put?: never;
        /**
         * Pin an answer to a question
         * @description From now on, a message that asks this question gets this answer word for word, without the model. Two questions are the same if they have the same words in the same order. Case, accents, punctuation, articles, word endings, and polite phrases at the beginning or end are ignored. For similar questions, the model is given this answer to work from.
         *
         *     A coach has each question only once, including variants. A duplicate is refused with 409 and the `answerId` of the pinned answer that already has it.
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
         * @description A pinned answer with its versions: what each said, who wrote it, and when.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getPinnedAnswer"];
        put?: never;
        post?: never;
        /**
         * Delete a pinned answer
         * @description Deletes a pinned answer and its versions. Answers already given from it do not change.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deletePinnedAnswer"];
        options?: never;
        head?: never;
        /**
         * Change a pinned answer
         * @description Changes the fields that are sent, at least one. The previous text is kept as a version. Answers already given from it do not change.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updatePinnedAnswer"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/answers/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the pinned answers as a sheet
         * @description All pinned answers as a CSV file for spreadsheets, oldest first, in the form in which they are imported. An apostrophe is added before texts that a spreadsheet would compute; an import leaves it out again.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["exportPinnedAnswers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/answers/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a sheet of questions and answers
         * @description Pins the answers of a CSV file. Commas, semicolons or tabs separate columns. Their names are in the first row, in any order and case: `question` and `answer`, and optionally `variants` (one a line in a cell) and `is_active`. Annotations that were exported from Dify, and FAQ files of Chatwoot, are read as they are.
         *
         *     A row whose question is pinned already changes that answer; a row that says the same changes nothing, so importing a sheet twice adds nothing. If the question is only a variant of the pinned answer, its question and variants stay. Columns that are left out, and blank cells of `is_active`, leave what is pinned as it is. A sheet with a row that cannot be used is refused, and the reply names all such rows. A long sheet is stored in parts: if the request is interrupted, the same sheet stores the rest.
         *
         *     With `preview`, nothing is stored: the reply shows what would become of each row.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["importPinnedAnswers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description The passages that answers must not use, newest first. With `limit` or `cursor`, one page of them. Only for the expert behind the coach.
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
         * @description New answers no longer use the passage, whichever of the coach's files contains it, and even after the file is indexed again. The file search still finds it.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["barPassage"];
        post?: never;
        /**
         * Let answers use a passage again
         * @description New answers may use the passage again.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["unbarPassage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the draft of a persona
         * @description The persona as it would be if its draft were published, with the names of the fields that would change. Without a draft, that is what is published. For the experts of the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getDraft"];
        /**
         * Save the draft of a persona
         * @description Replaces the draft, but for its picture. Fields that are left out are as published, so send only those that have changed: then changes that are published meanwhile stay. People see nothing of a draft until it is published; `try` and `test-runs` take it with `draft`. For owners and editors.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["saveDraft"];
        post?: never;
        /**
         * Delete the draft of a persona
         * @description Discards what was not published, the picture included. For owners and editors.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deleteDraft"];
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
         * @description What happens in all threads with a coach, as it happens, and the questions that wait for the expert. With an access token, for the coach's own user, who needs no scope.
         *
         *     The first event is `watching`: a client that reads the current state after it misses nothing. A stream ends after about two minutes. Reconnect with the `id:` of the last event, as an `EventSource` does automatically. No events are lost; some may arrive twice, with the same ID. After more than nine minutes, or with an invalid ID, the first event is `missed` instead of `watching`: read the current state again. Events arrive about a second after they happen.
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
    "/functions/v1/coaches/{coachId}/experts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the experts of a coach
         * @description All experts behind a coach with their roles, for each of them. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listExperts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/experts/{userId}": {
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
         * Remove an expert
         * @description Owners remove anyone; every expert may leave, with `me`. What the expert has said and written stays. A coach keeps at least one owner: the last one can neither leave nor be removed.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["removeExpert"];
        options?: never;
        head?: never;
        /**
         * Change the role of an expert
         * @description For owners. A coach keeps at least one owner: the last one cannot get another role.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updateExpert"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/experts/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See under which name and face one answers
         * @description What people see of the signed-in expert who answers them in person: a name and a picture of their own, or null where people see those of the persona.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getExpertFace"];
        /**
         * Set the name under which one answers
         * @description For the signed-in expert, with this coach. People read it beside what the expert has written to them in person, earlier messages too, and the other experts read it in place of the email address. Pinned answers that are given word for word keep the name of the persona.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["saveExpertFace"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/experts/me/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one's mail settings
         * @description The mails that the signed-in expert gets about a coach. They go to the confirmed address of the expert's sign-in. An access token is required.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getExpertMail"];
        /**
         * Change one's mail settings
         * @description Changes the mails that the signed-in expert gets about a coach. Fields that are left out stay as they are. The digest lists the questions that wait, at an hour of the expert's own time zone; no digest is sent if nothing waits. An access token is required.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["saveExpertMail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/experts/me/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the picture under which one answers
         * @description The body is the picture, as for the picture of a persona. It is shown at once, beside what the expert has written to people in person.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["setExpertPicture"];
        post?: never;
        /**
         * Remove the picture under which one answers
         * @description People see the picture of the persona or, beside a name of one's own, none.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["removeExpertPicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations of a coach
         * @description For owners. Invitations that nobody has accepted and that have not expired, newest first. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite an expert
         * @description For owners. Makes a link with which one person can become an expert within seven days. Whoever opens it first, signed in, gets the role, whatever address it was sent to. The token is in this reply only; its digest alone is kept. A coach can have at most 50 open invitations.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/invitations/{invitationId}": {
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
         * Take an invitation back
         * @description For owners. Its link is no longer valid.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview of a coach
         * @description What waits for the experts, what has changed since a moment, how the coach did in the last seven days and in those before, and what does not work. For every expert of the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the picture of a persona
         * @description The body is the picture: PNG, JPEG or WebP, at most 1 MB and 4,096 pixels wide and high, not animated. Its content decides on its type. It becomes part of the draft. Everything but the pixels, and how a JPEG is turned, is removed before it is stored. A picture can be read by everybody who knows its address. For owners and editors.
         *
         *     Needs a key with the scope `expert`.
         */
        put: operations["setPicture"];
        post?: never;
        /**
         * Remove the picture of a persona
         * @description The draft has no picture then. For owners and editors.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["removePicture"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft of a persona
         * @description The next answers are given by it. A persona that was never active becomes active. `if_version` names the version that was seen, so that nobody overwrites what another expert has published. For owners.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["publish"];
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
         * @description Questions that the coach could not answer well, those that most people asked first, and of those that as many people asked, the latest first. A person can open at most ten questions a day. With `limit` or `cursor`, one page of them instead of all. The same question in the same words is listed once, immediately; in other words, it is merged once the worker has compared them. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     With `include=askings`, each comes with the number of threads that get an answer, and with the people who have asked in other words.
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
         * @description Pins an answer to the question: from now on, anyone who asks it gets the answer word for word. If the question already has a pinned answer, this text replaces it. The question then counts as answered. If it is asked again and not answered well, the question reopens.
         *
         *     Unless `notify` is false, the answer is also put into the threads in which the question was asked, as a message of the expert, even while an answer is being written there. It is no takeover, and ends no waiting. Each thread gets it once, and again if the question is answered with another text. Archived threads are left out. The message belongs to the person's own question: its source quotes it, and lists of messages with `include=author` name it as `reply_to`. Someone who asked in other words, which a model has found to mean the same, gets it only if `notify` names the asking.
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
         * @description Removes a question from the open ones. It is still counted. A dismissed question reopens automatically once the number of people who asked it has doubled, with at least three new ones.
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
         * @description Moves an answered or dismissed question back to the open ones.
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
    "/functions/v1/coaches/{coachId}/questions/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss all questions of a thread or a person
         * @description Dismisses the open questions that the person of a thread has asked in it or, with `of_person`, in any thread with this coach. A question that somebody else has asked, too, stays open.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["dismissQuestions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved replies
         * @description What the experts of a coach often write, to be put into a reply. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listReplies"];
        put?: never;
        /**
         * Save a reply
         * @description For the experts of the coach, who share it. A coach can have at most 200 of them.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["createReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/replies/{replyId}": {
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
         * Delete a saved reply
         * @description What was sent with it stays.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deleteReply"];
        options?: never;
        head?: never;
        /**
         * Change a saved reply
         * @description Fields that are left out stay as they are. What was sent with it does not change.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updateReply"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings of a coach
         * @description What owners set at once, besides what is published. For owners and editors.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of a coach
         * @description Changes those that are passed, at once: they are no part of drafts and versions.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["saveSettings"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the test runs of a coach
         * @description The newest 50 runs without their results, newest first. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listTestRuns"];
        put?: never;
        /**
         * Run tests
         * @description Asks the coach the questions of its tests in the background, a few at a time, and checks the answers. A run leaves no thread, no open question and no hit of a pinned answer. It counts as usage and on the budgets of the coach and the account, and waits while one is used up. Runs of a coach go one after another; at most ten may wait.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["startTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/test-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test run
         * @description A run with its results so far. Each result comes with that of the latest finished run of what was published in which the test passed or failed, so that both answers can be shown side by side.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getTestRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/test-runs/{runId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a test run
         * @description Tests that have not begun are left out, and those under way are given up within seconds. The results so far stay. A run that has ended stays as it is.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["stopTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tests of a coach
         * @description Questions with what is expected of the answer, newest first. With `limit` or `cursor`, one page of them. Like all operations on tests, only for the expert behind the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listTests"];
        put?: never;
        /**
         * Add a test
         * @description A test asks the coach a question, after the messages of `history` if there are any. A question and the answer that the expert would give, `reference`, are a whole test: a language model compares both answers. `expect` checks more: the outcome, texts that the answer contains or does not contain, the files that it draws on, and a rubric that a language model judges. Everything in it must be so. A coach can have at most 500 tests.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["createTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/tests/{testId}": {
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
         * Delete a test
         * @description Deletes a test and its results in all runs.
         *
         *     Needs a key with the scope `expert`.
         */
        delete: operations["deleteTest"];
        options?: never;
        head?: never;
        /**
         * Change a test
         * @description Changes the fields that are sent, at least one. Results that the test has do not change.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updateTest"];
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
         * @description One page of all users' threads with this coach, including archived ones: most recently updated first, or with `search` the best match first. All filters can be combined. For the expert behind the coach: its own user, signed in, or a key that acts alone. `GET /threads/{threadId}/messages` returns the messages.
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
    "/functions/v1/coaches/{coachId}/threads/{threadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description One thread with the coach, as the list of all conversations shows it. For the experts of the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Assign, close or annotate a conversation
         * @description What the experts of a coach arrange among each other: who sees to a conversation, whether it is done with, and a note. Fields that are left out stay as they are. The person is told nothing of it. All of it is deleted with the thread.
         *
         *     Needs a key with the scope `expert`.
         */
        patch: operations["updateConversation"];
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what people ask
         * @description The topics of the conversations that began in a period, the largest first: of those with at least three people in it, at most 30. Topics keep their IDs. Their names and examples hold no personal details. Archived conversations, tests and trials do not count. With `Accept: text/csv`, the same as a file for spreadsheets, where an apostrophe is added before texts that a spreadsheet would compute. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listTopics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/topics/{topicId}/threads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the conversations of a topic
         * @description One page of the conversations of a topic that began in a period, newest first, without archived ones. Each is as in the list of all conversations. For the expert behind the coach: its own user, signed in, or a key that acts alone.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listTopicThreads"];
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
         * @description Shows what the coach would use to answer a question: the pinned answer that would be given word for word, or similar ones, and passages from its files. With `answer: true`, the reply also has the answer itself. That calls the model as a turn does, and may take as long. `history` has what was said before, so that a whole conversation can be tried. `reference` is an answer to compare with: the reply says in a sentence what differs.
         *
         *     With `Accept: text/event-stream`, the answer is streamed as `chat` streams it. When the client leaves, it is given up.
         *
         *     Nothing is stored: no thread, no open question, no hit of a pinned answer. The model's server is asked to store nothing either. An inactive coach can be tried, too. For the expert behind the coach: its own user, signed in, or a key that acts alone.
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
         * @description Turns, tokens, people, open questions and feedback of each day, and the totals of all days. Days without any activity are included. For the expert behind the coach: its own user, signed in, or a key that acts alone.
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
    "/functions/v1/coaches/{coachId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a persona
         * @description Every change that was published, newest first, also those by operators and their settings. With `limit` or `cursor`, one page of them. For the experts of the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a version of a persona
         * @description What the persona was in this version. For the experts of the coach.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["getVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/{coachId}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a version of a persona
         * @description Publishes a new version that has the fields and the picture of an earlier one. Settings of operators stay, and so does the draft. For owners.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["restoreVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Makes the signed-in user an expert, and uses the invitation up. Anonymous users and those of an application's own login cannot be experts. A user who is an expert of the coach already keeps a higher role. If the invitation is for a new coach, `name` and `title` are required: the coach is made, with the user as its owner, and answers nobody until it is published.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/coaches/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * See what an invitation is for
         * @description Which role with which coach, and who invites, before the user accepts it. `coach` is null if the invitation lets the user make a coach. It does not use the invitation up.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/docs/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the service works
         * @description 200 if Postgres and the language model's server answer and the work in the background gets on, otherwise 503. What is wrong is only told to operators. The reply may be ten seconds old. No key is needed.
         */
        get: operations["getHealth"];
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
         * @description The files of a coach: with `search`, the best match first; otherwise, the newest first.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["searchFiles"];
        put?: never;
        /**
         * Upload knowledge files
         * @description Adds files to the knowledge of a coach: PDF, DOCX, PPTX, XLSX, ODT, EPUB, HTML, CSV, TXT, MD (up to 25 MB each), JPG, PNG, GIF, WEBP, MP4, AVI, MOV, WEBM, MP3, M4A, WAV, OGG (up to 50 MB each), 100 MB in total. If a file is rejected, the others are still accepted. The content becomes searchable a moment later: see the `status` in search results. With `replace=true`, a file becomes the next version of the newest uploaded file with its name, as with `replaceFile`.
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
        /**
         * Get a knowledge file
         * @description A file with its sections: what is where. A section is a run of passages under one heading, or on one page if there are no headings. For a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the coach's `sources_are_open`, for everyone who may talk to the coach.
         *
         *     Needs a key with the scope `knowledge:read` or `chat`.
         */
        get: operations["getFile"];
        /**
         * Replace a knowledge file
         * @description Sends a new version of a file. Its ID stays, and the old version answers until the new one has been read: `pending` says how far that is. If the new one cannot be read, the old one stays, and `error` says why. Of several that are sent, the last one counts. The same bytes change nothing. A file that is rejected is a 400; a page of a source, which is read again by itself, a 409.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        put: operations["replaceFile"];
        post?: never;
        /**
         * Delete a knowledge file
         * @description Deletes a file and everything extracted from it.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        /**
         * Rename a knowledge file, or date it
         * @description Changes the name of a file, or the days (UTC, inclusive) on which answers may draw on it. On other days it is quoted to nobody, and reading it is a 404 for those who talk to the coach; searches of files find it, with `is_valid_today: false`. What is left out stays as it is. Pages of a source cannot be renamed: 409.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        patch: operations["updateFile"];
        trace?: never;
    };
    "/functions/v1/knowledge-handler/{fileId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what replacing a file has changed
         * @description Which passages came, went and stayed with each version of the last 30 days.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["listFileChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/{fileId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the address of the original
         * @description An address that opens the original of a file without a key, for 60 seconds. Browsers show PDF, PNG and JPEG in place, the latter at `#page=N` if you add that; all other types are downloaded. After that, and if it was changed, the address replies 403 with the code `address_not_valid`; if the file is deleted, 404 with `file_not_found`. For a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the coach's `sources_are_open`, for everyone who may talk to the coach.
         *
         *     Needs a key with the scope `knowledge:read` or `chat`.
         */
        get: operations["getOriginal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/{fileId}/passages/{passageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a passage among its neighbors
         * @description A passage that an answer draws on, with the passages before and after it. Passages may begin with the end of the one before: `repeats` says how much. A passage that a later version of the file no longer has is a 404. If the same text is twice in the file, the first is meant. For a server whose key has the scope `knowledge:read`, for the coach's own user, and, if the coach's `sources_are_open`, for everyone who may talk to the coach.
         *
         *     Needs a key with the scope `knowledge:read` or `chat`.
         */
        get: operations["getPassage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/{fileId}/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the answers that draw on a file
         * @description The answers of the last 30 days that draw on a file, newest first, and the open questions that it could answer.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listFileQuotes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/contradictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contradictions
         * @description Passages of two files that say something else about the same thing, such as another price, date or number, or yes and no. They are looked for in the background whenever a file was read. Contradictions that were settled, and those of passages that a file does not have any more or that are barred, are left out.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["listContradictions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/contradictions/{contradictionId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a contradiction
         * @description Says which of the two passages counts. Answers then do not draw on what the other file says instead: its passages with these statements are barred, and can be used again as any barred passage can; or, with `ends_file`, the days of the other file end. With `null` both stay. The same two statements are not listed again.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        post: operations["settleContradiction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List web sources
         * @description The web addresses that a coach knows, newest first. Their pages are in the list of files, too.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["listSources"];
        put?: never;
        /**
         * Add a web source
         * @description Adds a web address to the knowledge of a coach. It is read in the background: each page becomes a knowledge file with its main content, and is read again as `refresh` says. If the coach has the address already, that source is returned unchanged.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        post: operations["addSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/sources/{sourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a web source
         * @description A source, with the pages that could not be read or used, and why.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["getSource"];
        put?: never;
        post?: never;
        /**
         * Delete a web source
         * @description Deletes a source with the files of all its pages.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        delete: operations["deleteSource"];
        options?: never;
        head?: never;
        /**
         * Change a web source
         * @description Changes how often a source is read, or the most pages that it may have.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        patch: operations["updateSource"];
        trace?: never;
    };
    "/functions/v1/knowledge-handler/sources/{sourceId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a web source again
         * @description Has a source read again now, from the beginning. Pages that have not changed are not indexed again.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        post: operations["refreshSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/texts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a text
         * @description Adds a text in Markdown to the knowledge of a coach. It is a knowledge file with the title as its first heading and its name, and is listed, searched, quoted and deleted as files are. The same title and content again are the text that there is.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        post: operations["createText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/knowledge-handler/texts/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a text
         * @description A text as it was saved last, even if answers still draw on what it said before.
         *
         *     Needs a key with the scope `knowledge:read`.
         */
        get: operations["getText"];
        /**
         * Save a text
         * @description Saves title and content of a text. What it said before answers until the new text has been read. With `if_version`, it is a 409 if somebody else has saved another version since.
         *
         *     Needs a key with the scope `knowledge:write`.
         */
        put: operations["saveText"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mailer/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open an answer from a mail
         * @description The question and the expert's answer that a mail tells of, and nothing else of the thread. The token is in the link of the mail, after `#answer=`. No key is needed. The link works for 30 days after the answer, unless the request is withdrawn.
         */
        get: operations["readMailedAnswer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mailer/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the page that confirms an email address
         * @description Leads to the chat page, with the token after `#confirm-email=`. It changes nothing.
         */
        get: operations["openConfirmation"];
        put?: never;
        /**
         * Confirm an email address
         * @description Confirms an address that was given to be told of answers. The token is in the link of the mail that was sent to the address, and expires after two days. No key is needed. `GET` with `?token=` leads to the chat page and changes nothing.
         */
        post: operations["confirmMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mailer/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the page with the mail settings
         * @description Leads to the expert's desk, or to the chat page. It changes nothing: programs that look into mails open links.
         */
        get: operations["openUnsubscribe"];
        put?: never;
        /**
         * Unsubscribe from mails
         * @description Ends the mails of one kind. Mail programs send this request when somebody chooses to unsubscribe (RFC 8058): its address is in the header `List-Unsubscribe` of the mail. With the token of the link in a confirmation mail that says that somebody else gave the address, nothing is sent to it any more. No key is needed, and the body is not read. The request may be repeated.
         */
        post: operations["unsubscribe"];
        delete?: never;
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
         * @description The Model Context Protocol over Streamable HTTP, stateless, in the revisions 2026-07-28 and 2025-11-25 and before. Tools: `list-coaches`, `chat`, `get-user-threads`, `threads`, `ask-expert`, `list-requests`, `search-knowledge`, `read-source`, `upload-knowledge`, `add-source`, `delete-knowledge`, `list-questions`, `answer-question`, `revise-answer`; each needs the scope of its operation. What the caller can mend is a tool result with `isError` and the code of the error as `_meta.error_code`; the rest is a JSON-RPC error with the code as `data.code`. Errors of keys, tokens and limits also say in `message` what to do.
         */
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mcp/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call the service as tools, for a user who signs in
         * @description The same server for the users of AI clients, who add it by its address alone and sign in with OAuth 2.1 by Supabase Auth. The key is part of the address, so no header holds one; it decides which coaches can be reached and how many requests each user may send. The access token must be one that Auth has issued to an AI client with the user's consent: it names the client as `client_id`. Such a token is refused everywhere else, and the token of a page is refused here. Tools reach only what belongs to the user, whom they also know as `me`. Requests that name an origin are those of pages, which the key has to allow.
         */
        post: operations["mcpForApps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/mcp/{key}/.well-known/oauth-protected-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find out where the users of AI clients sign in
         * @description The metadata of `/mcp/{key}` (RFC 9728). AI clients find its address in the header `WWW-Authenticate` of a 401. No key is needed. The document is the same for every key, so it does not tell which ones are valid.
         */
        get: operations["describeMcpResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/chat/completions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a coach by chat completions
         * @description Answers the last message of the user, as the coach. `system` and `developer` messages stand below the persona's own instructions. The turn is stored in the thread that the request names; without a name, in one of its own, which is deleted after 30 days. Settings of the model, such as `temperature`, and tools are ignored. `max_tokens` and its like only lower the coach's own limit.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["createChatCompletion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the coaches as models
         * @description All active coaches that the key may talk to, by name.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/models/{model}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a coach as a model
         * @description An active coach that the key may talk to.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["getModel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask a coach by the Responses API
         * @description As `createChatCompletion`. The thread is that of `previous_response_id` or `conversation`. With `store: false`, the turn is deleted when it has ended.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["createResponse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/responses/{responseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a response
         * @description A stored answer of a coach, of whatever function.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["getResponse"];
        put?: never;
        post?: never;
        /**
         * Delete a response
         * @description Deletes the last turn of a thread: the question and its answer.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["deleteResponse"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/openai/v1/responses/{responseId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a response
         * @description Stops an answer that is being written. The text so far is kept.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["cancelResponse"];
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
         * @description A thread as it appears in lists, with its state: whether it is pinned or archived, and whether an answer is being written. With an access token, for the thread's own user and for the expert behind its coach.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["getThread"];
        put?: never;
        post?: never;
        /**
         * Delete a thread
         * @description Deletes a thread and all its messages, also at the language model's server. An answer that is being written in it is canceled.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["deleteThread"];
        options?: never;
        head?: never;
        /**
         * Rename, pin or archive a thread
         * @description Changes the fields that are sent, at least one. The thread keeps its place in the list.
         *
         *     Needs a key with the scope `threads:write`.
         */
        patch: operations["updateThread"];
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/ask-expert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the expert in person
         * @description Asks the person behind the coach: about a question of the thread, by default the last one, or with a new `question`, whose answer then waits for the expert. No model is called, so this also works when budgets are used up, and the model goes on answering other messages. An answer that waits for the expert is never given by the model.
         *
         *     The reply is 201 for a new request. Asking again about the same question returns the same entry; one that was withdrawn waits again. With an `email`, a mail asks to confirm the address, and another one has a link to the answer, which works without an account. No other mails are sent there.
         *
         *     Needs a key with the scope `chat`.
         */
        post: operations["askExpert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/draft-reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Draft a reply for the expert
         * @description Drafts what the expert might reply to the person's newest message, or to the one in `in_reply_to`, for the expert to edit. It is made of the thread, pinned answers and passages of files alone. Where these do not say what is asked, the draft has a gap in square brackets. If the very question is pinned, the draft is the pinned answer, and the model is not asked.
         *
         *     Nothing is stored or sent: what the expert then sends with `sayAsExpert` counts as their own words. A draft counts on budgets, and fails as an answer does.
         *
         *     Needs a key with the scope `expert`.
         */
        post: operations["draftReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description What happens in a thread, as it happens: answers that start and end, feedback, and takeovers. With an access token, for the thread's own user and for the expert behind its coach.
         *
         *     The first event is `watching`: a client that reads the current state after it misses nothing. A stream ends after about two minutes. Reconnect with the `id:` of the last event, as an `EventSource` does automatically. No events are lost; some may arrive twice, with the same ID. After more than nine minutes, or with an invalid ID, the first event is `missed` instead of `watching`: read the current state again. Events arrive about a second after they happen.
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
         * @description All messages of a thread, oldest first. With `limit` or `cursor`, one page of them; with `order=desc`, newest first. Answers without text are left out.
         *
         *     With `include=status`, every answer is listed, including one that is still being written, with its text so far, and one that failed before it had any text. A page that is reloaded in the middle of an answer finds its ID there and continues with `followAnswer`.
         *
         *     With an access token, for the thread's own user and for the expert behind its coach. `include=basis` shows what each answer was based on. It is for the expert only: the coach's own user, or a key with the scope `expert` that acts alone.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["listMessages"];
        put?: never;
        /**
         * Say something as the expert
         * @description Stores a message of the expert. It becomes the answer to the oldest waiting question. If no question waits, it is added at the end of the thread on its own. The thread is taken over, as by `takeOver`.
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
         * @description Stores what the thread's user thinks of an answer and replaces any earlier rating; `rating: null` removes it. With a user's token, only that user's answers can be rated; a key alone acts for the user of the thread. A rating belongs to the text that was rated: when the answer is run again, the rating is deleted.
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
         * @description Turns the expert's correction into a pinned answer: from now on, the same question gets it word for word. If the question is already pinned, that pinned answer gets a new version. The answer is marked as revised, and the open questions it led to are answered. `bar_passages` excludes misleading passages from all further answers, and `notify` informs the person in their thread. Either everything is done, or nothing.
         *
         *     `question` is required unless the answer led to an open question with a sentence.
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
    "/functions/v1/threads/{threadId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a thread as read
         * @description Sets `unread` to 0. May be repeated. With an access token, for the thread's own user; a key alone acts for the user of the thread.
         *
         *     `unread` counts the messages of the expert (also those that the user saw as they came, until this is called) and each answer whose last text was stored when the connection of its reply was gone. An answer no longer counts once its end was received through `followAnswer`, or through a repetition of its question, or when it is run again. Failed and stopped answers never count.
         *
         *     Needs a key with the scope `threads:write`.
         */
        post: operations["markThreadRead"];
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
         * @description Ends a takeover. The model answers the waiting questions in the background; their answers appear in the list of messages. A request for a human is closed: the thread leaves the list of those with `needs_reply`. If nobody has taken the thread over, only the request for a human is closed.
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
    "/functions/v1/threads/{threadId}/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of a thread
         * @description What the user of the thread has asked the expert in person, and what has become of it. If an expert of the coach lists them, those that wait are `seen` from then on.
         *
         *     Needs a key with the scope `threads:read`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/threads/{threadId}/requests/{requestId}": {
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
         * Take a request back
         * @description The expert is no longer asked. An answer that waits for the expert ends as `stopped`. A link to the answer that was sent by mail does not work any more. The request may be repeated.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["withdrawRequest"];
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
         * @description From now on the expert behind the coach answers, and the model is silent: `handled_by` is `expert`. If an answer is being written, it ends with the text so far; if it has no text yet, its question waits for the expert. Anyone who asks during the takeover gets a notice (the coach's `takeover_notice`), and the question waits.
         *
         *     The takeover lasts until `releaseThread`, or until `takeover_minutes` (a setting of the coach) after the expert's last message. Calling this again extends it.
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
    "/functions/v1/threads/{threadId}/typing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell who is typing
         * @description Those who watch the thread get the event `typing.user` or, from a signed-in expert, `typing.expert`. Call it again every few seconds while somebody types: after seven seconds without it, they have stopped. A key alone speaks for the thread's user. The text itself is not sent, and nothing is kept.
         *
         *     Needs a key with the scope `threads:write` or `expert`.
         */
        post: operations["tellTyping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/users/{userId}": {
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
         * Delete the signed-in user
         * @description Deletes everything that is stored about the signed-in user in the account of the key: all threads with all coaches, their messages (also at the language model's server), ratings, and the user's part in open questions. Answers that are being written are canceled. An access token is required, and `userId` must be its user, or `me`. The request may be repeated: its reply is the same.
         *
         *     The sign-in itself is not deleted. The requests that the user has made are still counted, under a hash, until their limits reset.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/users/{userId}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a user may still use
         * @description The budgets that limit what a user may have the language models do: of the account, of the API key and of coaches, and the user's own share where each user has an amount. When a budget is used up, requests that would ask a model get a 429 with the code `budget_exhausted`; pinned answers are given all the same.
         *
         *     With an access token, the figures of budgets that are shared with other people are left out, and so are budgets that only warn the operator.
         *
         *     Needs a key with the scope `chat`.
         */
        get: operations["getBudget"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/users/{userId}/coaches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the coaches of an expert
         * @description The coaches that a user is an expert of, by name, including inactive ones, as far as the key reaches them. With `limit` or `cursor`, one page of them.
         *
         *     Needs a key with the scope `expert`.
         */
        get: operations["listOwnCoaches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/functions/v1/users/{userId}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the user's email address
         * @description The address at which the signed-in user is told that the expert has answered. An access token is required, and `userId` must be its user, or `me`. Anonymous users have no account that an address could belong to: they get a 403.
         *
         *     Needs a key with the scope `threads:write`.
         */
        get: operations["getUserMail"];
        /**
         * Store the user's email address
         * @description Stores the address at which the signed-in user is told that the expert has answered. A mail with a link is sent to it, and nothing else until that link was opened. Sending the same address again sends the mail again, unless the address is confirmed. A user and an address get a few of these mails a day. An access token is required, and `userId` must be its user, or `me`. Anonymous users have no account that an address could belong to: they get a 403.
         *
         *     Needs a key with the scope `threads:write`.
         */
        put: operations["saveUserMail"];
        post?: never;
        /**
         * Delete the user's email address
         * @description Ends the mails to the signed-in user, and forgets the address. An access token is required, and `userId` must be its user, or `me`. Anonymous users have no account that an address could belong to: they get a 403.
         *
         *     Needs a key with the scope `threads:write`.
         */
        delete: operations["deleteUserMail"];
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
         * @description All threads of a user: most recently updated first, or with `search` the best match first. With `limit` or `cursor`, one page of them.
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
        AcceptedInvitation: {
            coach_id: string;
            /** @description Whether the coach was made for this invitation */
            is_new: boolean;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
        };
        AcceptInvitationBody: {
            /**
             * @description The language of the persona, in which its first instructions are written; `english` if left out
             * @enum {string}
             */
            language?: "english" | "german" | "french" | "spanish" | "italian" | "portuguese" | "dutch" | "arabic";
            /** @description The full name of the persona, if the invitation is for a new one; otherwise ignored */
            name?: string;
            /** @description Its professional title, likewise */
            title?: string;
            /** @description The token of the invitation: what follows `#invitation=` in its link */
            token: string;
        };
        Act: {
            /** @description The key that it was done with; null for the operator */
            api_key_id: string | null;
            /**
             * @description Who did it: an expert, a server with a key, or the operator
             * @enum {string}
             */
            by: "expert" | "server" | "operator";
            coach_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            id: number;
            /** @description What was done, such as `expert.invited` or `coach.published`. More may be added */
            kind: string;
            /** @description What it was done to: the ID of a user, an invitation or a budget, or the number of a version */
            subject: string | null;
            /** @description The expert whom it was done to; null if that is not one */
            subject_user: components["schemas"]["ExpertName"] | null;
            /** @description The expert who did it; null for others, and for somebody who is gone */
            user: components["schemas"]["ExpertName"] | null;
        };
        ActList: {
            /** @description The number of acts in `data` */
            count: number;
            /** @description Newest first */
            data: components["schemas"]["Act"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        AddSourceBody: {
            /**
             * @description `page`: this address alone; `site`: all pages below it, from the sitemap or by following links; `feed`: the pages of the entries of an RSS, Atom or JSON feed
             * @enum {string}
             */
            kind: "page" | "site" | "feed";
            /** @description The most pages that are read; 500 if left out */
            limit?: number;
            /**
             * @description When the source is read again: `never`, `daily` or `weekly`
             * @enum {string}
             */
            refresh: "never" | "daily" | "weekly";
            /**
             * Format: uri
             * @description The address of the page, site or feed
             */
            url: string;
        };
        AnswerBasis: {
            /** @description The version of the coach's settings and instructions that was used; null if no model was called */
            coach_version: number | null;
            /** @description `context.mode` of the question */
            mode: string | null;
            /** @description The model that wrote it; null if none did */
            model: string | null;
            /** @description The pinned answers that it draws on, or the one that was given word for word; they are among `sources`, too */
            pinned_answers: components["schemas"]["PinnedAnswerSource"][];
            /** @description The time when the expert corrected it; null if never */
            revised_at: string | null;
            /** @description The pinned answer that corrects it */
            revision_id: string | null;
        };
        AnsweredQuestion: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            first_asked_at: string;
            /** Format: uuid */
            id: string;
            /** @description True if somebody who asked it waits for the expert in person; such questions are listed first */
            is_requested: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            last_asked_at: string;
            /** @description The answer in that thread that did not answer it */
            message_id: string | null;
            /** @description In how many threads the answer is now, as a message of the expert; each has it once */
            notified: number;
            /** @description True if the coach's files have nothing to do with it: no passage has a rare word of the question, one that at most a fifth of the passages contain. Never if somebody has asked for a human */
            off_topic: boolean;
            /** @description By how many different people it was asked */
            people: number;
            /** @description The pinned answer to it */
            pinned_answer_id: string | null;
            /** @description The question in one sentence, without personal details; null until there is one (see `message_id`) */
            question: string | null;
            /** @description The reason: the model did not know the answer (`unknown`), an answer got a thumbs-down (`feedback`), or somebody asked for a human (`human`) */
            reasons: ("unknown" | "feedback" | "human")[];
            /** @enum {string} */
            status: "open" | "answered" | "dismissed";
            /** @description The thread in which it was last asked */
            thread_id: string | null;
            /** @description How often it was asked */
            times: number;
        };
        AnswerObject: {
            /**
             * @description The author: the model (`ai`) or the real person behind the coach
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
                /** @description The model server's ID of the answer; null for a user's message */
                response_id: string | null;
                /** @constant */
                role: "assistant";
                /** Format: uuid */
                thread_id: string;
            };
            /** @description The sources that the answer draws on: those that its text names, by their `number`; if it names none, those with whose text it shares rare words */
            sources: components["schemas"]["Source"][];
            /**
             * @description `waiting`: the expert has taken over and will answer. The text is then a notice, which is not stored
             * @enum {string}
             */
            status: "waiting" | "streaming" | "complete" | "stopped" | "failed";
            /**
             * Format: uuid
             * @description Pass it to continue the conversation
             */
            thread_id: string;
        };
        AnswerQuestionBody: {
            /** @description The expert's answer. From now on, anyone who asks this question gets it word for word */
            answer: string;
            /** @description Whether to send the answer to those who have asked, as a message of the expert at the end of their threads; by default, true. People who have asked in other words, which a model has found to mean the same, only get it if `askings` names them: IDs of `merged_askings`. An ID that is not one of these is ignored */
            notify?: (boolean | {
                askings: string[];
            }) | null;
            /** @description The question of the pinned answer; by default, the sentence of the open question. Required if that has no sentence */
            question?: string | null;
            /** @description Other ways to ask it */
            variants?: string[] | null;
        };
        /** @description The sheet as CSV */
        AnswerSheet: string;
        AskExpertBody: {
            /** @description The coach whose expert is asked, if the thread does not exist yet */
            coachId?: string | null;
            /** @description Where to tell the person of the answer. It gets a mail with a link to confirm it */
            email?: string | null;
            /** @description The same as the header `Idempotency-Key`, for browsers */
            idempotency_key?: string | null;
            /**
             * @description The language of the mails
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "pt" | "ar";
            /** @description The question to ask about, or the answer to it. By default, the last question of the thread */
            message_id?: string | null;
            /** @description A new question, which becomes a message of the thread. Cannot be combined with `message_id` */
            question?: string | null;
        };
        BarredPassage: {
            /** @description The user who barred it; null for a server with a key */
            barred_by: string | null;
            /** @description Its text; null if no file contains it any more */
            content: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description A file that contains it */
            file_id: string | null;
            filename: string | null;
            /** @description `passageId` of the sources */
            passage_id: string;
        };
        BarredPassageList: {
            /** @description The number of passages in `data` */
            count: number;
            /** @description Newest first */
            data: components["schemas"]["BarredPassage"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        Budget: {
            /** @description Whether nothing is left */
            is_exhausted: boolean;
            /** @description The amount of a period. It is left out, like the other figures, where other people share the budget */
            limit?: number;
            /** @description The part of it that answers under way may use at most */
            reserved?: number;
            /** @description When the next period begins; null if it never does */
            resets_at: string | null;
            /**
             * @description Whose budget it is: the account's, the API key's or the coach's
             * @enum {string}
             */
            scope: "account" | "key" | "coach";
            /**
             * @description The unit of the amounts: tokens of language models, or millionths of a US dollar
             * @enum {string}
             */
            unit?: "tokens" | "micro_usd";
            /** @description The part of it that is used */
            used?: number;
        };
        BudgetError: {
            /** @description What went wrong, in a sentence */
            error: string;
            /** @description How to fix it */
            message: string;
            /** @description Seconds to wait; left out where a budget is never renewed */
            retryAfter?: number;
        };
        BudgetList: {
            /** @description Those of the account first, then those of the key and of coaches */
            data: components["schemas"]["Budget"][];
        };
        ChatBody: {
            /** @description The coach, the user and the kind of conversation, and where the user is */
            context?: {
                /** @description The coach to talk to. Required to start a thread; otherwise, the thread's coach */
                coachId?: string | null;
                /** @description If true, a bearer token is required */
                isAuthenticated?: boolean | null;
                /** @description The language of that page, as a tag such as `pt-BR`, for the expert. Otherwise, it is ignored */
                language?: string;
                /** @description The kind of conversation, shown to the coach. `create_knowledge` stores the message as a note; only for the coach's own user */
                mode?: string | null;
                /** @description The page that the chat is on, for the expert: http or https, at most 2,000 characters. Otherwise, it is ignored */
                page_url?: string;
                /** @description The person's time zone by its IANA name, such as `Europe/Lisbon`: the coach is told the date there. Without it, or if it is not known, the date in UTC */
                time_zone?: string | null;
                /** @description The user who sends the message, not blank; with a bearer token, its user. Without it, a new thread belongs to a new anonymous user */
                userId?: string | null;
            } | null;
            /** @description The same as the header `Idempotency-Key`, for browsers, which cannot send that header to another origin */
            idempotency_key?: string | null;
            /** @description The user's message, not blank */
            message: string;
            /** @description Instead of `thread_id`: a random UUID made by the client, which becomes the ID of the new thread. Sending the same ID again continues that thread */
            new_thread_id?: string | null;
            /** @description The ID of an earlier question or its answer. That question and everything after it in the thread are deleted, and this message takes their place. `thread_id` may be left out. Cannot be combined with `new_thread_id` */
            replaces?: string | null;
            /** @description The thread to continue; without it, a new one is started */
            thread_id?: string | null;
        };
        ChatCompletion: {
            choices: {
                /** @enum {string} */
                finish_reason: "stop" | "length" | "content_filter";
                /** @constant */
                index: 0;
                logprobs: null;
                message: {
                    annotations: {
                        /** @constant */
                        type: "url_citation";
                        url_citation: {
                            end_index: number;
                            /** @description Where `[1]` begins in the text, in UTF-16 code units */
                            start_index: number;
                            title: string;
                            /** @description The web page that the source was read from, otherwise its place in the reader */
                            url: string;
                        };
                    }[];
                    content: string;
                    refusal: null;
                    /** @constant */
                    role: "assistant";
                };
            }[];
            created: number;
            id: string;
            model: string;
            /** @constant */
            object: "chat.completion";
            /** @constant */
            service_tier: "default";
            system_fingerprint: null;
            usage: {
                completion_tokens: number;
                completion_tokens_details: {
                    reasoning_tokens: number;
                };
                prompt_tokens: number;
                prompt_tokens_details: {
                    cached_tokens: number;
                };
                total_tokens: number;
            };
        };
        Coach: {
            /** @description The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one */
            accent_color: string | null;
            /** @description The text to show before the first message; null: none */
            greeting: string | null;
            /** @description The `coachId` of other requests */
            id: string;
            /**
             * @description The coach is a persona played by a language model, not a person
             * @constant
             */
            is_ai: true;
            /** @description The words of its button on other sites; null: the usual ones */
            launcher_text: string | null;
            /** @description The coach's full name */
            name: string;
            /** @description The address of the coach's picture, which everybody can read; null if there is none */
            picture_url: string | null;
            /** @description For how many days threads are kept after their last message; null: until they are deleted */
            retention_days: number | null;
            /** @description The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of `a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on leading to the coach */
            slug: string | null;
            /** @description Whether everyone who may talk to the coach may also read the files that its answers draw on */
            sources_are_open: boolean;
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
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        CoachSettings: {
            /** @description The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one */
            accent_color: string | null;
            /** @description Whether the coach answers. It does not if it was never published; with `false` it is paused: nobody can talk to it, but threads stay readable */
            is_active: boolean;
            /** @description The words of its button on other sites; null: the usual ones */
            launcher_text: string | null;
            /** @description The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of `a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on leading to the coach */
            slug: string | null;
            /** @description Whether everyone who may talk to the coach may also read the files that its answers draw on */
            sources_are_open: boolean;
        };
        CoachUsage: {
            /** @description Every day, earliest first */
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
            /** @description All days together. A person who asked on several days counts once */
            totals: {
                /** @description Input tokens, among `input_tokens`, that the model's server had in its cache */
                cached_tokens: number;
                /** @description The cost of the answers whose model had a price, in millionths of a US dollar */
                cost_micro_usd: number;
                /** @description Answers whose tokens are estimated at least in part, because the model's server did not report them */
                estimated_turns: number;
                /** @description Thumbs-down on answers of that day */
                feedback_down: number;
                /** @description Thumbs-up on answers of that day */
                feedback_up: number;
                /** @description Input tokens of the model */
                input_tokens: number;
                /** @description Output tokens of the model */
                output_tokens: number;
                /** @description The number of different people who asked, without erased users */
                people: number;
                /** @description Open questions that were first asked on that day */
                questions_opened: number;
                /** @description Output tokens, among `output_tokens`, that were the model's thoughts */
                reasoning_tokens: number;
                /** @description Answers that have ended, including failed ones and those to tests */
                turns: number;
                /** @description Answers whose cost is not known, because their model had no price */
                unpriced_turns: number;
            };
        };
        CoachWithTimes: {
            /** @description The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one */
            accent_color: string | null;
            /** @description The text to show before the first message; null: none */
            greeting: string | null;
            /** @description The `coachId` of other requests */
            id: string;
            /**
             * @description The coach is a persona played by a language model, not a person
             * @constant
             */
            is_ai: true;
            /** @description The words of its button on other sites; null: the usual ones */
            launcher_text: string | null;
            /** @description The coach's full name */
            name: string;
            /** @description The address of the coach's picture, which everybody can read; null if there is none */
            picture_url: string | null;
            /** @description For how many days threads are kept after their last message; null: until they are deleted */
            retention_days: number | null;
            /** @description The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of `a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on leading to the coach */
            slug: string | null;
            /** @description Whether everyone who may talk to the coach may also read the files that its answers draw on */
            sources_are_open: boolean;
            /** @description Up to six questions to suggest as the first message */
            starters: string[];
            /** @description Whether this service can tell a person by mail that the expert has answered: see `askExpert` */
            tells_by_mail: boolean;
            /** @description The coach's professional title */
            title: string;
            /** @description How many hours the expert usually takes to answer in person; null: too few answers to tell */
            usual_reply_hours: number | null;
        };
        ContradictingPassage: {
            content: string;
            /**
             * Format: date-time
             * @description When the file was uploaded, or the page last read
             * @example 2026-11-20T16:03:33.140Z
             */
            dated_at: string;
            /** Format: uuid */
            file_id: string;
            filename: string;
            /** @description The heading above it, if there is one */
            heading: string | null;
            /** @description The page it begins on, if the file has pages */
            page: number | null;
            /** @description The ID of the passage: the same as long as its text is the same */
            passage_id: string;
            /** @description The place of the passage within the file, starting with 0 */
            position: number;
            /** @description The address of the page; null for an uploaded file */
            source_url: string | null;
        };
        Contradiction: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            found_at: string;
            /** Format: uuid */
            id: string;
            /** @description True if a model has found that they contradict each other; false: they may */
            is_confirmed: boolean;
            one: components["schemas"]["ContradictingPassage"];
            other: components["schemas"]["ContradictingPassage"];
            /** @description What differs, as it stands in the passages */
            statements: {
                /** @enum {string} */
                kind: "price" | "date" | "time" | "number" | "negation";
                one: string;
                other: string;
            }[];
        };
        ContradictionList: {
            /** @description The number of contradictions in `data` */
            count: number;
            /** @description Newest first */
            data: components["schemas"]["Contradiction"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        Conversation: {
            /** @description The answer that is being written, to stop it or to stream it again; null if there is none */
            active_message_id: string | null;
            /** @description The expert who sees to it: `user_id`; null: nobody */
            assigned_to: string | null;
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
            /** @description With a search, for the first 100 of a list: plain text around the words that were found, in the message that has most of them or in the title. Every second part is such a word, beginning with the second one: `["Where do ", "owls", " sleep?"]` */
            excerpt?: string[];
            /**
             * @description Who answers
             * @enum {string}
             */
            handled_by: "ai" | "expert";
            /** @description Whether an answer in the thread has a thumbs-down */
            has_down: boolean;
            /** Format: uuid */
            id: string;
            is_archived: boolean;
            /** @description Whether an expert has closed it. A new question opens it again */
            is_closed: boolean;
            is_pinned: boolean;
            /** @description Whether there is something new in it for the signed-in expert; false if closed, null for a server */
            is_unread: boolean | null;
            /** @description The time since which somebody has been waiting for the expert; null if nobody is */
            needs_reply_at: string | null;
            /** @description A note of the experts, for each other */
            note: string | null;
            /** @description Who asks, as far as it is known; anonymous people have no name and address */
            person: {
                /** @description The email address in their access token */
                email: string | null;
                /**
                 * Format: date-time
                 * @description When their first one began
                 * @example 2026-11-20T16:03:33.140Z
                 */
                first_seen_at: string;
                /** @description The language of the page that they asked on, as a tag */
                language: string | null;
                /** @description The name in their access token */
                name: string | null;
                /** @description The page that they asked on, as it was told: show it as text, without query and fragment */
                page_url: string | null;
                /** @description The number of their threads with this coach, up to 30 */
                threads: number;
            };
            /** @description The request to the expert that has waited longest; null if none waits */
            request: components["schemas"]["ExpertRequest"] | null;
            /** @description The state of the oldest request that waits for the expert: `waiting` or `seen`; null: none waits */
            request_status: ("waiting" | "seen" | "answered" | "withdrawn") | null;
            /** @description The expert who answers in person: `user_id`; null: nobody, or it is a server that does */
            taken_over_by: string | null;
            /** @description The time when the takeover ends automatically unless the expert writes before; null if there is none */
            taken_over_until: string | null;
            /** @description The title that the user gave it. By default, the first message, shortened at a word to at most 80 characters */
            title: string;
            /** @description The number of messages that the user has not read: messages of the expert, and answers that were completed when nobody was connected to them any more. `markThreadRead` sets it to 0 */
            unread: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID if no user was named */
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
        CreateChatCompletionBody: {
            audio?: null;
            function_call?: ("auto" | "none") | null;
            max_completion_tokens?: number | null;
            max_tokens?: number | null;
            /** @description The conversation so far. The last message of the user is the question */
            messages: ({
                content?: (string | ({
                    text?: string;
                    type: string;
                } & {
                    [key: string]: unknown;
                })[]) | null;
                role: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @description `thread_id` names the conversation, `task` a request of the application itself, such as `title` */
            metadata?: {
                [key: string]: unknown;
            } | null;
            modalities?: string[] | null;
            /** @description The ID of a coach */
            model: string;
            n?: number | null;
            response_format?: ({
                type: string;
            } & {
                [key: string]: unknown;
            }) | null;
            /** @description The end user: any text, as in `context.userId` of `/chat` */
            safety_identifier?: unknown;
            stream?: boolean | null;
            stream_options?: ({
                include_usage?: boolean | null;
            } & {
                [key: string]: unknown;
            }) | null;
            tool_choice?: ("auto" | "none") | null;
            /** @description The end user: any text, as in `context.userId` of `/chat` */
            user?: unknown;
        };
        CreateCoachBody: {
            /**
             * @description The language of the persona, in which its first instructions are written; `english` if left out
             * @enum {string}
             */
            language?: "english" | "german" | "french" | "spanish" | "italian" | "portuguese" | "dutch" | "arabic";
            /** @description The name of the coach */
            name: string;
        };
        CreateInvitationBody: {
            /**
             * Format: email
             * @description Whom the invitation is for. Where mail is set up, it is sent there. Anybody with the link can accept it
             */
            email?: string;
            /**
             * @description The role of whoever accepts the invitation
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
        };
        CreatePinnedAnswerBody: {
            /** @description The expert's answer */
            answer: string;
            /** @description Whether it is active; by default, true */
            is_active?: boolean;
            /** @description The question, as a person would ask it */
            question: string;
            /** @description Other ways to ask it: up to 20 */
            variants?: string[];
        };
        CreateReplyBody: {
            content: string;
            name: string;
        };
        CreateResponseBody: {
            background?: boolean | null;
            conversation?: (string | ({
                id: string;
            } & {
                [key: string]: unknown;
            })) | null;
            /** @description The question, or the conversation with the question as its last message */
            input: string | ({
                content?: (string | ({
                    text?: string;
                    type: string;
                } & {
                    [key: string]: unknown;
                })[]) | null;
                role?: string;
                type?: string;
            } & {
                [key: string]: unknown;
            })[];
            instructions?: string | null;
            max_output_tokens?: number | null;
            /** @description `thread_id` names the conversation, `task` a request of the application itself, such as `title` */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description The ID of a coach */
            model: string;
            previous_response_id?: string | null;
            prompt?: null;
            /** @description The end user: any text, as in `context.userId` of `/chat` */
            safety_identifier?: unknown;
            store?: boolean | null;
            stream?: boolean | null;
            text?: ({
                format?: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                }) | null;
            } & {
                [key: string]: unknown;
            }) | null;
            tool_choice?: ("auto" | "none") | null;
            /** @description The end user: any text, as in `context.userId` of `/chat` */
            user?: unknown;
        };
        CreateTestBody: {
            /** @description What is expected of the answer */
            expect?: {
                /** @description Texts that the answer must contain, each of them; upper and lower case count */
                contains?: string[];
                /** @description Texts of which the answer must contain at least one; upper and lower case count */
                contains_any?: string[];
                /** @description Texts that the answer must contain, each of them, in upper or lower case */
                icontains?: string[];
                /** @description Texts that the answer must not contain; upper and lower case count */
                not_contains?: string[];
                /**
                 * @description What kind of answer it is: `answered` by the model, `not_known` where the persona says that it does not know and asks its expert, or `pinned`: a pinned answer, word for word
                 * @enum {string}
                 */
                outcome?: "answered" | "not_known" | "pinned";
                /** @description What a good answer says, in words. Judged by a language model, in runs with `judge` alone */
                rubric?: string;
                /** @description Names of files that the answer must draw on: `all` of them, and at least one of `any` */
                sources?: {
                    all?: string[];
                    any?: string[];
                };
            };
            /** @description The messages before it, oldest first: at most 20 */
            history?: {
                content: string;
                /** @enum {string} */
                role: "user" | "assistant";
            }[];
            /** @description The question, as a person would ask it */
            question: string;
            /** @description The answer that the expert would give. With the question alone, it is a whole test. A language model compares the answer with it, in runs with `judge`; without it, the test is `not_judged` */
            reference?: string | null;
            /** @description The conversation whose words the test has, if any: the test is deleted with it, as when its user is erased */
            thread_id?: string | null;
        };
        CreateTextBody: {
            /** @description Markdown, without the title */
            content: string;
            /** @description One line: the first heading, and the name of the file */
            title: string;
        };
        DeleteCoachBody: {
            /** @description The published name of the coach */
            confirm: string;
        };
        DeletedCoach: {
            coachId: string;
            /** @constant */
            message: "Coach deleted successfully";
        };
        DeletedDraft: {
            coachId: string;
            /** @constant */
            message: "Draft deleted successfully";
        };
        DeletedInvitation: {
            invitationId: string;
            /** @constant */
            message: "Invitation deleted successfully";
        };
        DeletedPersonaTest: {
            /** @constant */
            message: "Test deleted successfully";
            testId: string;
        };
        DeletedPinnedAnswer: {
            answerId: string;
            /** @constant */
            message: "Pinned answer deleted successfully";
        };
        DeletedReply: {
            /** @constant */
            message: "Reply deleted successfully";
            replyId: string;
        };
        DeletedSource: {
            /** @constant */
            message: "Source deleted successfully";
            sourceId: string;
        };
        DeletedUserMail: {
            message: string;
            userId: string;
        };
        DeltaEvent: {
            text: string;
        };
        DismissedQuestions: {
            /** @description The questions that were dismissed; each can be reopened */
            question_ids: string[];
        };
        DismissQuestionsBody: {
            /**
             * @description If true, dismisses what the person of the thread has asked in any thread with this coach
             * @default false
             */
            of_person: boolean;
            /** @description A thread with this coach: `thread_id` in the list of questions */
            thread_id: string;
        };
        DoneEvent: {
            /** @description Of an answer that is only tried: the open question that a turn would have stored, if any */
            asks_expert?: string;
            /**
             * @description The author: the model (`ai`) or the real person behind the coach
             * @enum {string}
             */
            author: "ai" | "expert";
            /**
             * @description The answer counts on a budget: `getBudget` has what is left; left out as above
             * @constant
             */
            is_budgeted?: true;
            /**
             * @description The question was passed on to the expert; otherwise left out, and always where an answer is resumed
             * @constant
             */
            is_passed_on?: true;
            response_id: string | null;
            /**
             * @description `waiting`: the expert has taken over and will answer. The text sent is a notice, which is not stored
             * @enum {string}
             */
            status: "complete" | "stopped" | "waiting";
        };
        DraftedReply: {
            /** @description The draft, without the numbers of its sources */
            content: string;
            /** @description The pinned answers and passages that it draws on */
            sources: components["schemas"]["Source"][];
        };
        DraftReplyBody: {
            /** @description The user's message that the draft answers. By default, the newest of the thread */
            in_reply_to?: string | null;
        };
        Error: {
            /** @description With the code `already_pinned`: the ID of the pinned answer that already has the question */
            answerId?: string;
            /** @description What went wrong, in a sentence */
            error: string;
            /** @description How to fix it */
            message?: string;
            /** @description With the code `invalid_sheet`: the rows that cannot be used, if it is the fault of rows */
            rows?: {
                /** @description The column at fault; null for the row as a whole */
                field: string | null;
                reason: string;
                /** @description The number that spreadsheets show */
                row: number;
            }[];
        };
        /**
         * @description Names the error for programs
         * @enum {string}
         */
        ErrorCode: "missing_api_key" | "invalid_api_key" | "misplaced_api_key" | "invalid_secret_key" | "unavailable" | "origin_not_allowed" | "rate_limit_exceeded" | "sign_in_first" | "invalid_access_token" | "not_found" | "method_not_allowed" | "missing_scope" | "upload_too_slow" | "too_many_files" | "body_too_large" | "invalid_json" | "malformed_upload" | "invalid_input" | "idempotency_key_reused" | "user_mismatch" | "not_the_coach" | "not_the_expert" | "role_not_sufficient" | "permanent_user_required" | "last_owner" | "expert_not_found" | "invitation_not_found" | "too_many_invitations" | "mail_not_available" | "too_many_mails" | "link_not_valid" | "coach_not_found" | "coach_paused" | "coach_mismatch" | "slug_taken" | "too_many_slugs" | "not_published" | "may_not_create" | "too_many_coaches" | "thread_not_found" | "message_not_found" | "request_not_found" | "response_not_found" | "not_the_last_turn" | "answer_unfinished" | "not_the_last_answer" | "answer_not_retryable" | "taken_over" | "budget_exhausted" | "price_unknown" | "answer_changed" | "file_is_page" | "file_exists" | "file_not_found" | "address_not_valid" | "source_not_found" | "contradiction_not_found" | "passage_not_found" | "question_not_found" | "topic_not_found" | "pinned_answer_not_found" | "already_pinned" | "invalid_sheet" | "reply_not_found" | "too_many_replies" | "test_not_found" | "test_run_not_found" | "too_many_tests" | "no_tests" | "too_many_test_runs" | "draft_changed" | "text_changed" | "version_changed" | "nothing_to_publish" | "version_not_found" | "message_too_long" | "model_refused" | "model_busy" | "model_misconfigured" | "model_unavailable" | "answer_failed" | "model_timed_out" | "internal_error" | "invalid_message" | "too_many_values" | "not_acceptable" | "unsupported_media_type" | "unknown_method" | "unknown_tool";
        ErrorEvent: {
            code: components["schemas"]["ErrorCode"];
            details?: string;
            error: string;
            /** @description The HTTP status that a reply without a stream would have */
            status: number;
        };
        EventData: {
            active_message_id?: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            at?: string;
            /** @enum {string} */
            handled_by?: "ai" | "expert";
            message_id?: string;
            /** @description Of `typing.expert`: the name that people see of the expert who is typing */
            name?: string;
            /** @description The open question that the event is about */
            question_id?: string;
            thread_id?: string;
            /**
             * Format: date-time
             * @description Of the first event of a thread's stream, as the next two: what `getThread` says at that moment
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at?: string;
        };
        /**
         * @description `watching`: the first event of a stream; from here on, nothing is missed. `missed`: the same, but earlier events were lost, so read the current state again. All others say what happened
         * @enum {string}
         */
        EventKind: "watching" | "missed" | "message.begun" | "message.completed" | "feedback.up" | "feedback.down" | "feedback.removed" | "takeover.begun" | "takeover.released" | "takeover.expired" | "thread.needs_expert" | "question.opened" | "question.closed" | "request.opened" | "request.seen" | "request.answered" | "request.withdrawn" | "thread.changed" | "typing.user" | "typing.expert";
        Expert: {
            /**
             * Format: date-time
             * @description When the user became an expert of the coach
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description The email address; null if the user has none */
            email: string | null;
            /** @description Whether this is the signed-in user */
            is_you: boolean;
            /** @description The name under which the expert answers; null if they have given none */
            name: string | null;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
            /** Format: uuid */
            user_id: string;
        };
        ExpertFace: {
            /** @description Null: people see the name of the persona */
            name: string | null;
            /** @description Everybody can read it. Null: people see the picture of the persona or, beside a name of one's own, none */
            picture_url: string | null;
        };
        ExpertList: {
            /** @description The number of experts in `data` */
            count: number;
            /** @description Those who have been experts for longest first */
            data: components["schemas"]["Expert"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        ExpertMail: {
            /** @description The confirmed email address of the expert's sign-in; null without one, and then nothing is sent */
            address: string | null;
            /** @description Whether a mail tells immediately that a person asks for a human */
            asks_for_human: boolean;
            /** @description Whether a mail tells that a budget is used up; only owners get it */
            budget: boolean;
            /**
             * @description How often a mail lists the questions that wait
             * @enum {string}
             */
            digest: "off" | "daily" | "weekly";
            /** @description Whether a mail tells that a file or a source could not be read */
            failures: boolean;
            /** @description The hour of the digest, in the time zone */
            hour: number;
            /** @description Whether this service sends such mails: it does if its operator has set up mail and the address of the page */
            is_available: boolean;
            /** @description Whether the mail server of the address has refused it: nothing is sent to it any more */
            is_refused: boolean;
            /**
             * @description The language of the mails
             * @enum {string}
             */
            language: "en" | "de" | "fr" | "es" | "pt" | "ar";
            /** @description The IANA name of the time zone */
            time_zone: string;
            /** @description Whether a mail tells what people asked, once a week, on the day and at the hour of a weekly digest */
            topics: boolean;
            /** @description The day of a weekly digest: 1 is Monday, 7 is Sunday */
            weekday: number;
        };
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
            /** @description The model server's ID of the answer; null for a user's message */
            response_id: string | null;
            /** @constant */
            role: "assistant";
            /** @constant */
            status: "complete";
            /** Format: uuid */
            thread_id: string;
        };
        ExpertName: {
            /** @description The email address; null if the user has none */
            email: string | null;
            /** @description The name under which the expert answers; null if they have given none */
            name: string | null;
            /** Format: uuid */
            user_id: string;
        };
        ExpertRequest: {
            answered_at: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            asked_at: string;
            /** @description Whether the person wants to be told by mail; null: no. The address itself is in no reply */
            email: ("unconfirmed" | "confirmed") | null;
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The question: a message of the thread
             */
            message_id: string;
            /** @description The text of that message */
            question: string;
            seen_at: string | null;
            /**
             * @description `seen`: an expert has opened it. `withdrawn`: the person has taken it back
             * @enum {string}
             */
            status: "waiting" | "seen" | "answered" | "withdrawn";
            /** Format: uuid */
            thread_id: string;
        };
        Feedback: {
            /** @description The reason, in the user's words */
            comment: string | null;
            /** @enum {string} */
            rating: "up" | "down";
        };
        FileChange: {
            /** @description Passages that the version before did not have; at most 200 */
            came: {
                content: string;
                /** @description The heading above it, if there is one */
                heading: string | null;
                /** @description The page it begins on, if the file has pages */
                page: number | null;
                /** @description The ID of the passage: the same as long as its text is the same */
                passage_id: string;
                /** @description The place of the passage within the file, starting with 0 */
                position: number;
            }[];
            /**
             * Format: date-time
             * @description The time from which on this version answers
             * @example 2026-11-20T16:03:33.140Z
             */
            changed_at: string;
            /** @description The numbers of passages */
            counts: {
                came: number;
                stayed: number;
                went: number;
            };
            /** @description The IDs of passages that both have; at most 1,000 */
            stayed: string[];
            /** @description The version that the file became */
            version: number;
            /** @description Passages that only the version before had; at most 200 */
            went: {
                content: string;
                /** @description The heading above it, if there is one */
                heading: string | null;
                /** @description The page it begins on, if the file has pages */
                page: number | null;
                /** @description The ID of the passage: the same as long as its text is the same */
                passage_id: string;
                /** @description The place of the passage within the file, starting with 0 */
                position: number;
            }[];
        };
        FileChangeList: {
            count: number;
            /** @description Of each version of the last 30 days, newest first */
            data: components["schemas"]["FileChange"][];
        };
        FileList: {
            /** @description The number of files on this page */
            count: number;
            /** @description Best match first; newest first without a search */
            data: components["schemas"]["FoundFile"][];
            limit: number;
            page: number;
            /** @description The number of files on all pages; with a search, at most 1,000 */
            total: number;
        };
        FileOutline: {
            /** @enum {string} */
            category: "documents" | "images" | "videos";
            /** @description MIME type */
            contentType: string;
            /** @description The reason for `failed` or `empty`, of the new version if there is one; otherwise null. A file with such a `status` can only be found by its name */
            error: string | null;
            /** @description The time when the page was last read or found unchanged */
            fetched_at: string | null;
            fileId: string;
            filename: string;
            /** @description True: a text that was written here, which is read and saved under `texts` */
            is_text: boolean;
            /** @description False: answers draw on it on other days, but not today */
            is_valid_today: boolean;
            /** @description The number of passages of the file */
            passages: number;
            /** @description What becomes of the new version that is to replace the file; null: there is none */
            pending: ("queued" | "indexing" | "failed") | null;
            /** @description In the order of the file; at most 1,000 */
            sections: components["schemas"]["FileSection"][];
            /** @description In bytes */
            size: number;
            /** @description The source that the file is a page of; null for an uploaded file */
            source_id: string | null;
            /** @description The address of the page; null for an uploaded file */
            source_url: string | null;
            /**
             * @description The status of indexing. `empty`: no text was found in the file
             * @enum {string}
             */
            status: "queued" | "indexing" | "ready" | "empty" | "failed";
            /** @description Of a text, its title as it was saved last: `filename` follows when that has been read; otherwise null */
            title: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            uploadedAt: string;
            /** @description The first day (UTC) on which answers may draw on the file; null: from the beginning */
            valid_from: string | null;
            /** @description The last such day; null: there is no end */
            valid_until: string | null;
            /** @description Counted up each time that the file is replaced */
            version: number;
            /** @description What of a file that is `ready` could not be read, such as `2 of 3 pages have no text`; otherwise null */
            warning: string | null;
        };
        FileQuotes: {
            /** @description The number of answers of the last 30 days that draw on the file */
            count: number;
            /** @description The newest 20 of these answers */
            data: {
                /**
                 * Format: uuid
                 * @description The answer
                 */
                message_id: string;
                /** @description The beginning of what was asked */
                question: string | null;
                quote: string | null;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC
                 * @example 2026-11-20T16:03:33.140Z
                 */
                quoted_at: string;
                /** Format: uuid */
                thread_id: string;
            }[];
            /** @description Open questions that the file could answer, judged by the words they share; at most ten */
            questions: {
                /** Format: uuid */
                id: string;
                question: string;
                times: number;
            }[];
        };
        FileSection: {
            /** @description The heading above it, if there is one */
            heading: string | null;
            /** @description True: a model has read it from a picture */
            is_recognized?: boolean;
            /** @description The page it begins on, if the file has pages */
            page: number | null;
            /** @description The first passage of the section */
            passage_id: string;
            /** @description The number of its passages */
            passages: number;
            /** @description The place of the passage within the file, starting with 0 */
            position: number;
            /** @description Of a recording or a video: the second at which the passage begins */
            seconds?: number;
        };
        FoundEvent: {
            /** @description The pinned answer that would be given word for word, without the model; otherwise null */
            exact: components["schemas"]["TriedPinnedAnswer"] | null;
            /** @description Similar pinned answers that the model would be given, best first */
            near: components["schemas"]["TriedPinnedAnswer"][];
            /** @description Passages that the model would be given, best first */
            passages: components["schemas"]["PassageSource"][];
        };
        FoundFile: {
            /** @enum {string} */
            category: "documents" | "images" | "videos";
            /** @description MIME type */
            contentType: string;
            /** @description The reason for `failed` or `empty`, of the new version if there is one; otherwise null. A file with such a `status` can only be found by its name */
            error: string | null;
            /** @description The time when the page was last read or found unchanged */
            fetched_at: string | null;
            fileId: string;
            filename: string;
            /** @description True: a model has read the excerpt from a picture */
            is_recognized?: boolean;
            /** @description True: a text that was written here, which is read and saved under `texts` */
            is_text: boolean;
            /** @description False: answers draw on it on other days, but not today */
            is_valid_today: boolean;
            /** @description What becomes of the new version that is to replace the file; null: there is none */
            pending: ("queued" | "indexing" | "failed") | null;
            /** @description With `include=quotes`: the number of answers of the last 30 days that draw on it */
            quotes?: number;
            /** @description The match score; null without a search */
            score: number | null;
            /** @description In bytes */
            size: number;
            /** @description The best matching excerpt; null if there is none to show */
            snippet: string | null;
            /** @description The source that the file is a page of; null for an uploaded file */
            source_id: string | null;
            /** @description The address of the page; null for an uploaded file */
            source_url: string | null;
            /**
             * @description The status of indexing. `empty`: no text was found in the file
             * @enum {string}
             */
            status: "queued" | "indexing" | "ready" | "empty" | "failed";
            /** @description Of a text, its title as it was saved last: `filename` follows when that has been read; otherwise null */
            title: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            uploadedAt: string;
            /** @description The first day (UTC) on which answers may draw on the file; null: from the beginning */
            valid_from: string | null;
            /** @description The last such day; null: there is no end */
            valid_until: string | null;
            /** @description Counted up each time that the file is replaced */
            version: number;
            /** @description What of a file that is `ready` could not be read, such as `2 of 3 pages have no text`; otherwise null */
            warning: string | null;
        };
        ImportedAnswers: {
            added: number;
            changed: number;
            /** @description True if nothing was stored */
            preview: boolean;
            /** @description Only in a preview: an import with such rows fails */
            refused: number;
            /** @description In the order of the sheet, without blank rows */
            rows: components["schemas"]["ImportedRow"][];
            unchanged: number;
            /** @description Columns that pinned answers do not have */
            unused_columns: string[];
        };
        ImportedRow: {
            /** @description Null if the row could not be read */
            answer: string | null;
            /** @description The pinned answer; null for a row that is refused or would be added */
            answer_id: string | null;
            /** @description The column at fault; null if the row is not refused, or as a whole */
            field: ("question" | "answer" | "variants" | "is_active") | null;
            /** @description Null if the sheet does not say: then it stays as it is */
            is_active: boolean | null;
            /** @description What the pinned answer says before the change; null if nothing changes */
            previous: {
                answer: string;
                is_active: boolean;
                question: string;
                variants: string[];
            } | null;
            question: string;
            /** @description The reason why the row is refused */
            reason: string | null;
            /** @description The number that spreadsheets show; the row of the column names is 1 */
            row: number;
            /** @enum {string} */
            status: "added" | "changed" | "unchanged" | "refused";
            /** @description Null if the sheet does not say: then they stay as they are */
            variants: string[] | null;
        };
        ImportPinnedAnswersBody: {
            /** @description The sheet as CSV, at most 1,000 answers and 1 MB. Its first row names the columns: `question` and `answer`, and optionally `variants` and `is_active` */
            csv: string;
            /** @description If true, nothing is stored. The reply is what an import would do; by default, false */
            preview?: boolean;
        };
        Invitation: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description Whom it is for; null if that was not said */
            email: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
        };
        InvitationList: {
            /** @description The number of invitations in `data` */
            count: number;
            /** @description Newest first, without accepted and expired ones */
            data: components["schemas"]["Invitation"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        InvitationPreview: {
            /** @description The coach; null if the invitation is for a new one */
            coach: {
                name: string;
                title: string;
            } | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            expires_at: string;
            /** @description The email address of the expert who invites; null for a server or an operator */
            invited_by: string | null;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
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
        KnowledgeSource: {
            /** @description The number of pages that could not be read or used, or not to their end */
            failed_pages: number;
            /** @description The end of the last round; null before the first has ended */
            fetched_at: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "page" | "site" | "feed";
            /** @description The most pages that are read */
            limit: number;
            /** @description Null: never, or while it is queued or being read */
            next_refresh_at: string | null;
            /** @description The number of pages that are files now */
            pages: number;
            /** @description The reason why it failed or, if it is ready, why its list of pages could not be read; otherwise null */
            reason: string | null;
            /** @enum {string} */
            refresh: "never" | "daily" | "weekly";
            /**
             * @description `ready`: at least one page could be read; `failed`: none could be, for the `reason`
             * @enum {string}
             */
            status: "queued" | "reading" | "ready" | "failed";
            /** @description The address, in its normal form */
            url: string;
        };
        KnowledgeSourceDetail: {
            /** @description The number of pages that could not be read or used, or not to their end */
            failed_pages: number;
            /** @description Pages that could not be read or used, or not to their end, and why: at most 20. The last text of a page stays */
            failures: {
                reason: string;
                url: string;
            }[];
            /** @description The end of the last round; null before the first has ended */
            fetched_at: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "page" | "site" | "feed";
            /** @description The most pages that are read */
            limit: number;
            /** @description Null: never, or while it is queued or being read */
            next_refresh_at: string | null;
            /** @description The number of pages that are files now */
            pages: number;
            /** @description The reason why it failed or, if it is ready, why its list of pages could not be read; otherwise null */
            reason: string | null;
            /** @enum {string} */
            refresh: "never" | "daily" | "weekly";
            /**
             * @description `ready`: at least one page could be read; `failed`: none could be, for the `reason`
             * @enum {string}
             */
            status: "queued" | "reading" | "ready" | "failed";
            /** @description The address, in its normal form */
            url: string;
        };
        KnowledgeSourceList: {
            /** @description The number of sources in `data` */
            count: number;
            /** @description Newest first */
            data: components["schemas"]["KnowledgeSource"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        ListedQuestion: {
            /** @description With `include=askings`: how many threads get an answer, without those of `merged_askings`. Archived threads are left out; 10,000 is the maximum */
            chats?: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            first_asked_at: string;
            /** Format: uuid */
            id: string;
            /** @description True if somebody who asked it waits for the expert in person; such questions are listed first */
            is_requested: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            last_asked_at: string;
            /** @description With `include=askings`: the newest 100 people who have asked in other words, which a model has found to mean the same. They get an answer only if its `notify` names them */
            merged_askings?: components["schemas"]["MergedAsking"][];
            /** @description The answer in that thread that did not answer it */
            message_id: string | null;
            /** @description True if the coach's files have nothing to do with it: no passage has a rare word of the question, one that at most a fifth of the passages contain. Never if somebody has asked for a human */
            off_topic: boolean;
            /** @description By how many different people it was asked */
            people: number;
            /** @description The pinned answer to it */
            pinned_answer_id: string | null;
            /** @description The question in one sentence, without personal details; null until there is one (see `message_id`) */
            question: string | null;
            /** @description The reason: the model did not know the answer (`unknown`), an answer got a thumbs-down (`feedback`), or somebody asked for a human (`human`) */
            reasons: ("unknown" | "feedback" | "human")[];
            /** @enum {string} */
            status: "open" | "answered" | "dismissed";
            /** @description The thread in which it was last asked */
            thread_id: string | null;
            /** @description How often it was asked */
            times: number;
        };
        MailedAnswer: {
            answer: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            answered_at: string;
            coach: {
                id: string;
                name: string;
                picture_url: string | null;
            };
            /** @description Whoever has answered: under a name of their own, or that of the coach */
            expert: {
                name: string;
                picture_url: string | null;
            };
            question: string;
        };
        MergedAsking: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            asked_at: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            thread_id: string;
            /** @description The message of the person, at most 500 characters of it; null if the key lacks the scope `threads:read` */
            words: string | null;
        };
        Message: {
            /**
             * @description With `include=author`: the author: the user, the model (`ai`) or the real person behind the coach
             * @enum {string}
             */
            author?: "user" | "ai" | "expert";
            /** @description With `include=basis`, for the expert behind the coach: what the answer was based on; null for a user's message */
            basis?: components["schemas"]["AnswerBasis"] | null;
            content: string;
            /**
             * Format: uuid
             * @description With `include=author`: the answer that the expert corrects here; otherwise left out
             */
            corrects?: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description With `include=status`: the code of the error of a failed answer, an ErrorCode; otherwise null */
            error_code?: string | null;
            /** @description With `include=author`: who has written a message of the expert. For other messages, null for experts of the coach, and otherwise left out */
            expert?: {
                /** @description For experts of the coach only */
                email?: string | null;
                /** @description The name of whoever said it in person, if they have given one; otherwise that of the coach */
                name: string;
                /** @description For experts of the coach only: the name that this expert has given */
                own_name?: string | null;
                picture_url: string | null;
                /** @description For experts of the coach only: which of them has written it; null if that is not known */
                user_id?: string | null;
            } | null;
            /** @description With `include=feedback`: the rating by the thread's user; null if there is none */
            feedback?: components["schemas"]["Feedback"] | null;
            id: string;
            /**
             * Format: uuid
             * @description With `include=author`: the user's message that the expert answers here, if there is one
             */
            in_reply_to?: string;
            /**
             * @description With `include=status`: the question was passed on to the expert, who has not answered it yet; otherwise left out
             * @constant
             */
            is_passed_on?: true;
            /** @description With `include=status`: the request to the expert about this question; otherwise left out */
            request?: components["schemas"]["ExpertRequest"];
            /** @description The model server's ID of the answer; null for a user's message */
            response_id: string | null;
            /** @enum {string} */
            role: "user" | "assistant";
            /** @description With `include=sources`: the sources that the answer draws on, so far if it is still being written; none for a user's message */
            sources?: components["schemas"]["Source"][];
            /**
             * @description With `include=status`: the status of an answer; `complete` for a user's message
             * @enum {string}
             */
            status?: "waiting" | "streaming" | "complete" | "stopped" | "failed";
            /** Format: uuid */
            thread_id: string;
        };
        MessageList: {
            /** @description The number of messages in the whole thread, without answers that have no text */
            count: number;
            /** @description Oldest first, or newest first with `order=desc` */
            data: components["schemas"]["Message"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
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
        Model: {
            created: number;
            description: string;
            /** @description The ID of the coach */
            id: string;
            name: string;
            /** @constant */
            object: "model";
            /** @description The name of the account */
            owned_by: string;
            /** @description The name of the coach in addresses, which can take the place of `id` */
            slug: string | null;
        };
        ModelList: {
            data: components["schemas"]["Model"][];
            /** @constant */
            object: "list";
        };
        NewInvitation: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description Whom it is for; null if that was not said */
            email: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
            /** @description The token, shown this once. Whoever has it can accept the invitation */
            token: string;
            /** @description The link to the desk; null if the service does not know its address (`DESK_URL`) */
            url: string | null;
        };
        OpenaiError: {
            error: {
                /** @description OpenAI's code where it has one, otherwise that of `X-Error-Code` */
                code: string;
                /** @description What went wrong, in a sentence */
                message: string;
                /** @description The parameter at fault */
                param: string | null;
                type: string;
            };
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
            /** @description True if somebody who asked it waits for the expert in person; such questions are listed first */
            is_requested: boolean;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            last_asked_at: string;
            /** @description The answer in that thread that did not answer it */
            message_id: string | null;
            /** @description True if the coach's files have nothing to do with it: no passage has a rare word of the question, one that at most a fifth of the passages contain. Never if somebody has asked for a human */
            off_topic: boolean;
            /** @description By how many different people it was asked */
            people: number;
            /** @description The pinned answer to it */
            pinned_answer_id: string | null;
            /** @description The question in one sentence, without personal details; null until there is one (see `message_id`) */
            question: string | null;
            /** @description The reason: the model did not know the answer (`unknown`), an answer got a thumbs-down (`feedback`), or somebody asked for a human (`human`) */
            reasons: ("unknown" | "feedback" | "human")[];
            /** @enum {string} */
            status: "open" | "answered" | "dismissed";
            /** @description The thread in which it was last asked */
            thread_id: string | null;
            /** @description How often it was asked */
            times: number;
        };
        OriginalAddress: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            expires_at: string;
            /** @description Opens the original, without a key, until `expires_at` */
            url: string;
        };
        OutputMessage: {
            content: {
                annotations: {
                    end_index: number;
                    /** @description Where `[1]` begins in the text, in UTF-16 code units */
                    start_index: number;
                    title: string;
                    /** @constant */
                    type: "url_citation";
                    /** @description The web page that the source was read from, otherwise its place in the reader */
                    url: string;
                }[];
                logprobs: unknown[];
                text: string;
                /** @constant */
                type: "output_text";
            }[];
            id: string;
            /** @constant */
            role: "assistant";
            /** @enum {string} */
            status: "in_progress" | "completed" | "incomplete";
            /** @constant */
            type: "message";
        };
        Overview: {
            changed: {
                /** @description Pinned answers that somebody else has written or changed */
                answers_by_others: number;
                /** @description Conversations that have changed, at most 10,000 */
                conversations: number;
                /** @description Files that were added */
                files: number;
                /** @description Messages of people in these conversations */
                messages_of_people: number;
                /** @description Questions that were first asked since then */
                questions: number;
                /** @description Thumbs-down */
                ratings_down: number;
                /** @description Versions of the persona that were published, newest first, at most 20 */
                versions: {
                    /** @description Null if it was no expert, or one who is gone */
                    by: components["schemas"]["ExpertName"] | null;
                    /**
                     * Format: date-time
                     * @description ISO 8601 in UTC
                     * @example 2026-11-20T16:03:33.140Z
                     */
                    published_at: string;
                    version: number;
                }[];
            };
            /**
             * Format: date-time
             * @description From when on `changed` counts
             * @example 2026-11-20T16:03:33.140Z
             */
            since: string;
            trouble: {
                /** @description Files that could not be read */
                files_failed: number;
                /** @description Web addresses of which no page could be read */
                sources_failed: number;
                /** @description Tests that failed in the newest finished run */
                tests_failing: number;
            };
            waiting: {
                /** @description Conversations in which somebody waits for an expert */
                people: number;
                /** @description Open questions */
                questions: number;
            };
            week: components["schemas"]["WeekOfCoach"];
            week_before: components["schemas"]["WeekOfCoach"];
        };
        OwnCoach: {
            /** @description The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one */
            accent_color: string | null;
            /** @description The text to show before the first message; null: none */
            greeting: string | null;
            /** @description The `coachId` of other requests */
            id: string;
            /** @description Whether the coach answers; one that was never published does not */
            is_active: boolean;
            /**
             * @description The coach is a persona played by a language model, not a person
             * @constant
             */
            is_ai: true;
            /** @description The words of its button on other sites; null: the usual ones */
            launcher_text: string | null;
            /** @description The coach's full name */
            name: string;
            /** @description The address of the coach's picture, which everybody can read; null if there is none */
            picture_url: string | null;
            /** @description For how many days threads are kept after their last message; null: until they are deleted */
            retention_days: number | null;
            /**
             * @description `answerer`: questions and conversations; `editor`: also files, sources, tests, pinned answers and the draft; `owner`: everything
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
            /** @description The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of `a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on leading to the coach */
            slug: string | null;
            /** @description Whether everyone who may talk to the coach may also read the files that its answers draw on */
            sources_are_open: boolean;
            /** @description Up to six questions to suggest as the first message */
            starters: string[];
            /** @description The coach's professional title */
            title: string;
        };
        OwnCoachList: {
            /** @description The number of coaches in `data` */
            count: number;
            /** @description By name */
            data: components["schemas"]["OwnCoach"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        PassageInContext: {
            /** @description The passages after it */
            after: components["schemas"]["ReadPassage"][];
            /** @description The passages before it, in the order of the file */
            before: components["schemas"]["ReadPassage"][];
            /** @description MIME type of the file */
            content_type: string;
            /** @description The time when the page was last read or found unchanged */
            fetched_at: string | null;
            file_id: string;
            filename: string;
            has_more_after: boolean;
            has_more_before: boolean;
            passage: components["schemas"]["ReadPassage"];
            /** @description The address of the page; null for an uploaded file */
            source_url: string | null;
        };
        PassageSource: {
            file_id: string;
            fileId: string;
            filename: string;
            heading: string | null;
            /** @description True: a model has read it from a picture */
            is_recognized?: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "passage";
            /** @description Its number in the text, such as 1 for `[1]`; left out if the text names no source */
            number?: number;
            page: number | null;
            passageId: string;
            /** @description The place of the passage within the file, starting with 0 */
            position: number;
            quote: string;
            score: number;
            /** @description Of a recording or a video: the second at which the passage begins */
            seconds?: number;
            /** @description The web address that the file was read from; null for an upload */
            source_url: string | null;
        };
        PersonaDraft: {
            /** @description The version that was published when the draft was begun, or that `if_version` has named since; lower than `version` if something else was published meanwhile */
            based_on: number;
            /** @description The names of the fields that differ from what is published; the picture is `picture` */
            changes: string[];
            /** @description The text to show before the first message; null: none */
            greeting: string | null;
            /** @description How the persona thinks and speaks: what the model is told */
            instructions: string;
            /** @description The language of its files, a text search configuration of Postgres such as `german`. When another one is published, the files are indexed again */
            language: string;
            /** @description The coach's full name */
            name: string;
            /** @description How it says that it does not know something; null: a default text */
            no_answer: string | null;
            /** @description The address of the picture, which everybody can read; null if there is none */
            picture_url: string | null;
            /** @description Counted up each time the draft is saved: `if_revision`; 0 if there is no draft */
            revision: number;
            saved_at: string | null;
            /** @description Null if there is no draft, or a server has saved it with its key */
            saved_by: components["schemas"]["ExpertName"] | null;
            /** @description Up to six questions to suggest as the first message */
            starters: string[];
            /** @description The notice shown to someone who asks during a takeover; null: a default text */
            takeover_notice: string | null;
            /** @description The coach's professional title */
            title: string;
            /** @description The version that is published, 0 if none ever was: `if_version` of `publish` */
            version: number;
        };
        PersonaTest: {
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            expect: {
                /** @description Texts that the answer must contain, each of them; upper and lower case count */
                contains?: string[];
                /** @description Texts of which the answer must contain at least one; upper and lower case count */
                contains_any?: string[];
                /** @description Texts that the answer must contain, each of them, in upper or lower case */
                icontains?: string[];
                /** @description Texts that the answer must not contain; upper and lower case count */
                not_contains?: string[];
                /**
                 * @description What kind of answer it is: `answered` by the model, `not_known` where the persona says that it does not know and asks its expert, or `pinned`: a pinned answer, word for word
                 * @enum {string}
                 */
                outcome?: "answered" | "not_known" | "pinned";
                /** @description What a good answer says, in words. Judged by a language model, in runs with `judge` alone */
                rubric?: string;
                /** @description Names of files that the answer must draw on: `all` of them, and at least one of `any` */
                sources?: {
                    all?: string[];
                    any?: string[];
                };
            };
            /** @description The messages before the question, oldest first */
            history: {
                content: string;
                /** @enum {string} */
                role: "user" | "assistant";
            }[];
            /** Format: uuid */
            id: string;
            /** @description The verdict of the latest run of what was published that has one; null if none has */
            last_verdict: ("passed" | "failed" | "not_judged") | null;
            question: string;
            /** @description The answer that the expert would give; null if there is none */
            reference: string | null;
            /** @description The conversation whose words it has, and with which it is deleted */
            thread_id: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
        };
        PersonaTestList: {
            /** @description The number of tests in `data` */
            count: number;
            /** @description Newest first */
            data: components["schemas"]["PersonaTest"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        PersonaVersion: {
            /** @description The names of what differs from the version before, also of settings that only operators change, such as `model`; empty for the first version */
            changes: string[];
            /** @description The text to show before the first message; null: none */
            greeting: string | null;
            /** @description How the persona thinks and speaks: what the model is told */
            instructions: string;
            /** @description The language of its files, a text search configuration of Postgres such as `german`. When another one is published, the files are indexed again */
            language: string;
            /** @description The coach's full name */
            name: string;
            /** @description How it says that it does not know something; null: a default text */
            no_answer: string | null;
            /** @description The address of the picture, which everybody can read; null if there is none */
            picture_url: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            published_at: string;
            /** @description Null if an operator or a server with its key has changed the persona, or the expert is gone */
            published_by: components["schemas"]["ExpertName"] | null;
            /** @description The earlier version that was restored; null if none was */
            restored_from: number | null;
            /** @description Up to six questions to suggest as the first message */
            starters: string[];
            /** @description The notice shown to someone who asks during a takeover; null: a default text */
            takeover_notice: string | null;
            /** @description The coach's professional title */
            title: string;
            version: number;
        };
        PersonaVersionList: {
            /** @description The number of versions in `data` */
            count: number;
            /** @description Newest first: the first is what is published */
            data: components["schemas"]["PersonaVersionSummary"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        PersonaVersionSummary: {
            /** @description The names of what differs from the version before, also of settings that only operators change, such as `model`; empty for the first version */
            changes: string[];
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            published_at: string;
            /** @description Null if an operator or a server with its key has changed the persona, or the expert is gone */
            published_by: components["schemas"]["ExpertName"] | null;
            /** @description The earlier version that was restored; null if none was */
            restored_from: number | null;
            version: number;
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
            /** @description Whether it is active */
            is_active: boolean;
            last_hit_at: string | null;
            /** @description How often it was given to the model */
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
            /** @description Increases with every change */
            version: number;
            /** @description The user who wrote it; null for a server with a key, and for changes made by hand */
            written_by: string | null;
        };
        PinnedAnswerList: {
            /** @description The number of pinned answers in `data` */
            count: number;
            /** @description Most recently changed first */
            data: components["schemas"]["PinnedAnswer"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        PinnedAnswerSource: {
            isWordForWord: boolean;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "pinned_answer";
            /** @description Its number in the text, such as 1 for `[1]`; left out if the text names no source */
            number?: number;
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
            /** @description Whether it is active */
            is_active: boolean;
            last_hit_at: string | null;
            /** @description How often it was given to the model */
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
            /** @description Increases with every change */
            version: number;
            /** @description Its texts, the current version first; at most the newest 100 */
            versions: {
                answer: string;
                /** @description Whether it is active */
                is_active: boolean;
                question: string;
                /** @description Other ways to ask the question */
                variants: string[];
                /** @description Increases with every change */
                version: number;
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC
                 * @example 2026-11-20T16:03:33.140Z
                 */
                written_at: string;
                /** @description The user who wrote it; null for a server with a key, and for changes made by hand */
                written_by: string | null;
            }[];
            /** @description The user who wrote it; null for a server with a key, and for changes made by hand */
            written_by: string | null;
        };
        PreviewInvitationBody: {
            /** @description The token of the invitation: what follows `#invitation=` in its link */
            token: string;
        };
        PublishBody: {
            /** @description Refuses with 409 `draft_changed` if the draft has another `revision` now; 0: there was none */
            if_revision?: number | null;
            /** @description Refuses with 409 `version_changed` if another version is published now */
            if_version: number;
        };
        QuestionList: {
            /** @description The number of questions in `data` */
            count: number;
            /** @description Those that most people asked first; of those, the latest first */
            data: components["schemas"]["ListedQuestion"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        RateAnswerBody: {
            /** @description The reason, in the user's words. Without it, an earlier comment is removed */
            comment?: string | null;
            /** @description The user's rating of the answer; null removes it */
            rating: ("up" | "down") | null;
        };
        RatedAnswer: {
            comment: string | null;
            messageId: string;
            /** @description Null: the answer has no rating */
            rating: ("up" | "down") | null;
        };
        RateLimitError: {
            /** @description What went wrong, in a sentence */
            error: string;
            /** @description How to fix it */
            message: string;
            /** @description Seconds to wait */
            retryAfter: number;
        };
        ReadPassage: {
            content: string;
            /** @description The heading above it, if there is one */
            heading: string | null;
            /** @description True: a model has read it from a picture */
            is_recognized?: boolean;
            /** @description The page it begins on, if the file has pages */
            page: number | null;
            /** @description The ID of the passage: the same as long as its text is the same */
            passage_id: string;
            /** @description The place of the passage within the file, starting with 0 */
            position: number;
            /** @description The number of characters (UTF-16 code units) at the beginning of `content` that repeat the end of the passage before it. Leave them out when you show both */
            repeats: number;
            /** @description Of a recording or a video: the second at which the passage begins */
            seconds?: number;
        };
        RemovedExpert: {
            /** @constant */
            message: "Expert removed successfully";
            /** @description The user who is no longer an expert of the coach */
            userId: string;
        };
        RequestList: {
            /** @description The number of requests in `data` */
            count: number;
            /** @description Newest first, with those that were taken back */
            data: components["schemas"]["ExpertRequest"][];
        };
        Response: {
            /** @constant */
            background: false;
            /** @description Null unless this request has completed it */
            completed_at: number | null;
            created_at: number;
            error: {
                code: string;
                message: string;
                type: string;
            } | null;
            /** @constant */
            frequency_penalty: 0;
            /** @description `resp_` and the ID of the answer */
            id: string;
            incomplete_details: {
                reason: string;
            } | null;
            instructions: string | null;
            max_output_tokens: number | null;
            max_tool_calls: null;
            metadata: {
                [key: string]: unknown;
            };
            model: string;
            /** @constant */
            object: "response";
            output: components["schemas"]["OutputMessage"][];
            parallel_tool_calls: boolean;
            /** @constant */
            presence_penalty: 0;
            previous_response_id: string | null;
            prompt_cache_key: null;
            reasoning: {
                effort: null;
                summary: null;
            };
            safety_identifier: null;
            /** @constant */
            service_tier: "default";
            /** @enum {string} */
            status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
            store: boolean;
            temperature: null;
            text: {
                format: {
                    type: string;
                } & {
                    [key: string]: unknown;
                };
            };
            /** @enum {string} */
            tool_choice: "auto" | "none";
            tools: unknown[];
            /** @constant */
            top_logprobs: 0;
            top_p: null;
            /** @constant */
            truncation: "disabled";
            usage: {
                input_tokens: number;
                input_tokens_details: {
                    /** @constant */
                    cache_write_tokens: 0;
                    cached_tokens: number;
                };
                output_tokens: number;
                output_tokens_details: {
                    reasoning_tokens: number;
                };
                total_tokens: number;
            } | null;
            user: string | null;
        };
        RestoreVersionBody: {
            /** @description Refuses with 409 `version_changed` if another version is published now */
            if_version?: number | null;
        };
        ReviseAnswerBody: {
            /** @description The correct answer, in the expert's words */
            answer: string;
            /** @description Misleading passages: `passageId` of the answer's sources. No answer uses them any more */
            bar_passages?: string[] | null;
            /** @description Makes the request safe to repeat for 24 hours: a repetition gets the same reply, and nobody is notified twice */
            idempotency_key?: string | null;
            /** @description Whether to send the correction to the person, as a message of the expert in their thread; by default, false */
            notify?: boolean | null;
            /** @description The question that it answers, as a person would ask it. It may be left out only if the answer led to an open question. The user's own words are never used, because a pinned answer outlives its user */
            question?: string | null;
        };
        RevisedAnswer: {
            /** @description The message to the person; null without `notify` */
            messageId: string | null;
            /**
             * Format: uuid
             * @description The pinned answer with the correction
             */
            pinnedAnswerId: string;
            /** @description Its version: 1 if it is new */
            version: number;
        };
        SaveDraftBody: {
            /** @description The text to show before the first message; null: none */
            greeting?: string | null;
            /** @description Refuses with 409 `draft_changed` if the draft has another `revision` now; 0: there was none */
            if_revision?: number | null;
            /** @description Refuses with 409 `version_changed` if another version is published now */
            if_version?: number | null;
            /** @description How the persona thinks and speaks: what the model is told */
            instructions?: string;
            /** @description The language of its files, a text search configuration of Postgres such as `german`. When another one is published, the files are indexed again */
            language?: string;
            /** @description The coach's full name */
            name?: string;
            /** @description How it says that it does not know something; null: a default text */
            no_answer?: string | null;
            /** @description Up to six questions to suggest as the first message */
            starters?: string[];
            /** @description The notice shown to someone who asks during a takeover; null: a default text */
            takeover_notice?: string | null;
            /** @description The coach's professional title */
            title?: string;
        };
        SavedReply: {
            content: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** Format: uuid */
            id: string;
            /** @description What the experts call it. People never see it */
            name: string;
        };
        SavedReplyList: {
            /** @description The number of replies in `data` */
            count: number;
            /** @description In the order in which they were saved */
            data: components["schemas"]["SavedReply"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        SaveExpertFaceBody: {
            /** @description The name; null: people see that of the persona */
            name: string | null;
        };
        SaveExpertMailBody: {
            /** @description Whether a mail tells immediately that a person asks for a human */
            asks_for_human?: boolean;
            /** @description Whether a mail tells an owner that a budget is used up */
            budget?: boolean;
            /**
             * @description How often a mail lists the questions that wait
             * @enum {string}
             */
            digest?: "off" | "daily" | "weekly";
            /** @description Whether a mail tells that a file or a source could not be read */
            failures?: boolean;
            /** @description The hour of the digest, in the time zone */
            hour?: number;
            /**
             * @description The language of the mails
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "pt" | "ar";
            /** @description The time zone of the digest, by its IANA name, such as `Europe/Berlin` */
            time_zone?: string;
            /** @description Whether a mail tells what people asked, once a week */
            topics?: boolean;
            /** @description The day of a weekly digest: 1 is Monday, 7 is Sunday */
            weekday?: number;
        };
        SaveSettingsBody: {
            /** @description The color of buttons and links of its page, such as `#0a7d5c`; null: the usual one */
            accent_color?: string | null;
            /** @description Whether the coach answers. It does not if it was never published; with `false` it is paused: nobody can talk to it, but threads stay readable */
            is_active?: boolean;
            /** @description The words of its button on other sites; null: the usual ones */
            launcher_text?: string | null;
            /** @description The name of the coach in addresses, which stands for its `id` wherever that is asked for: 3 to 40 of `a-z`, `0-9` and `-`, or null until it is first published. It can be changed ten times; earlier ones go on leading to the coach */
            slug?: string;
            /** @description Whether everyone who may talk to the coach may also read the files that its answers draw on */
            sources_are_open?: boolean;
        };
        SaveTextBody: {
            /** @description Markdown, without the title */
            content: string;
            /** @description The version that was changed: 409 if somebody else has saved another since */
            if_version?: number;
            /** @description One line: the first heading, and the name of the file */
            title: string;
        };
        SaveUserMailBody: {
            /**
             * Format: email
             * @description The address. It gets a mail with a link to confirm it
             */
            email: string;
            /**
             * @description The language of the mails
             * @enum {string}
             */
            language?: "en" | "de" | "fr" | "es" | "pt" | "ar";
        };
        SayAsExpertBody: {
            /** @description The expert's message, not blank */
            content: string;
            /** @description Makes the request safe to repeat for 24 hours: a repetition gets the same message, and nothing is stored twice */
            idempotency_key?: string | null;
            /** @description The user's message that it answers. By default, that of the oldest request of the thread that waits, or of the oldest question that does */
            in_reply_to?: string | null;
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
            /** @description For the next refresh. Each refresh returns a new one */
            refresh_token: string;
            /** @constant */
            token_type: "bearer";
            /** @description Only after signing in with a password */
            user?: {
                email: string;
                id: string;
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        SettleContradictionBody: {
            /** @description `passage_id` of the passage that counts: the other one is barred from answers. Null: both stay */
            counts: string | null;
            /** @description True: instead of barring the passage, the `valid_until` of the other file is set to yesterday (UTC), so that no answer draws on the file any more */
            ends_file?: boolean | null;
        };
        SettledContradiction: {
            contradictionId: string;
            /** @constant */
            message: "Contradiction settled successfully";
        };
        Source: components["schemas"]["PassageSource"] | components["schemas"]["PinnedAnswerSource"];
        SourcesEvent: components["schemas"]["Source"][];
        StartTestRunBody: {
            /** @description Asks the persona as it would be if its draft were published: the draft as it is when the run is started; by default, the persona as it is */
            draft?: boolean | null;
            /** @description Whether a language model judges the answers by rubrics and references; by default, it does not */
            judge?: boolean | null;
            /** @description The tests to run; by default, all of the coach */
            tests?: string[] | null;
        };
        StoredFile: {
            /** @enum {string} */
            category: "documents" | "images" | "videos";
            /** @description MIME type */
            contentType: string;
            /** @description The reason for `failed` or `empty`, of the new version if there is one; otherwise null. A file with such a `status` can only be found by its name */
            error: string | null;
            /** @description The time when the page was last read or found unchanged */
            fetched_at: string | null;
            fileId: string;
            filename: string;
            /** @description True: a text that was written here, which is read and saved under `texts` */
            is_text: boolean;
            /** @description False: answers draw on it on other days, but not today */
            is_valid_today: boolean;
            /** @description What becomes of the new version that is to replace the file; null: there is none */
            pending: ("queued" | "indexing" | "failed") | null;
            /** @description In bytes */
            size: number;
            /** @description The source that the file is a page of; null for an uploaded file */
            source_id: string | null;
            /** @description The address of the page; null for an uploaded file */
            source_url: string | null;
            /**
             * @description The status of indexing. `empty`: no text was found in the file
             * @enum {string}
             */
            status: "queued" | "indexing" | "ready" | "empty" | "failed";
            /** @description Of a text, its title as it was saved last: `filename` follows when that has been read; otherwise null */
            title: string | null;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            uploadedAt: string;
            /** @description The first day (UTC) on which answers may draw on the file; null: from the beginning */
            valid_from: string | null;
            /** @description The last such day; null: there is no end */
            valid_until: string | null;
            /** @description Counted up each time that the file is replaced */
            version: number;
            /** @description What of a file that is `ready` could not be read, such as `2 of 3 pages have no text`; otherwise null */
            warning: string | null;
        };
        TestJudgement: {
            model: string;
            /** @description The version of the instructions that it was given */
            prompt_version: number;
            /** @description Its reason, or what it failed with */
            reason: string;
            /**
             * @description `not_judged`: the judge failed, and says nothing
             * @enum {string}
             */
            verdict: "passed" | "failed" | "not_judged";
        };
        TestResult: {
            /** @description The result of the same test in the latest finished run of what was published, before this one, in which it passed or failed; null if there is none */
            compared: {
                /** @description What kind of answer it was; null if there was none, because the model failed */
                outcome: ("answered" | "not_known" | "pinned") | null;
                /** Format: uuid */
                run_id: string;
                sources: components["schemas"]["Source"][];
                text: string;
                /** @enum {string} */
                verdict: "passed" | "failed" | "not_judged";
            } | null;
            /** @description Null: it was not asked */
            judge: components["schemas"]["TestJudgement"] | null;
            /** @description What kind of answer it was; null if there was none, because the model failed */
            outcome: ("answered" | "not_known" | "pinned") | null;
            /** @description The question of the test as it is now */
            question: string;
            /** @description What is not so, or was not checked, each in a sentence; of a reference, what differs from it */
            reasons: string[];
            /** @description The reference of the test as it is now */
            reference: string | null;
            /** @description The sources that the answer draws on */
            sources: components["schemas"]["Source"][];
            /** Format: uuid */
            test_id: string;
            /** @description The answer: its first 10,000 characters */
            text: string;
            /** @description How long the answer took, in milliseconds */
            time_ms: number;
            /** @description What the models read and wrote for it, the judge included */
            tokens: {
                input: number;
                output: number;
            };
            /**
             * @description `passed`: all that was checked is so; `failed`: something is not; `not_judged`: nothing was checked, or the model or the judge failed
             * @enum {string}
             */
            verdict: "passed" | "failed" | "not_judged";
        };
        TestRun: {
            /** @description The version of the coach when the run was started */
            coach_version: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description How many of them have a result */
            done: number;
            ended_at: string | null;
            failed: number;
            /** Format: uuid */
            id: string;
            /** @description True for a run of the draft, as it was when the run was started */
            is_draft: boolean;
            /** @description Whether a language model judges the answers by rubrics and references */
            judge: boolean;
            /** @description The tests that fail now, and passed when they were last judged */
            newly_failing: string[];
            /** @description The tests that pass now, and failed when they were last judged */
            newly_passing: string[];
            not_judged: number;
            passed: number;
            /** @description The results so far, in the order of the list of tests */
            results: components["schemas"]["TestResult"][];
            /**
             * @description `queued` until its first test begins, then `running`, until it is `done` or `stopped`
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "stopped";
            /** @description The number of its tests */
            total: number;
            /** @description Whether it waits because a budget is used up */
            waits_for_budget: boolean;
            /** @description Whether it waits because the model has failed, and is tried again */
            waits_for_model: boolean;
        };
        TestRunList: {
            /** @description The number of runs in `data` */
            count: number;
            /** @description Newest first; the newest 50 are kept */
            data: components["schemas"]["TestRunSummary"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
        };
        TestRunSummary: {
            /** @description The version of the coach when the run was started */
            coach_version: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            created_at: string;
            /** @description How many of them have a result */
            done: number;
            ended_at: string | null;
            failed: number;
            /** Format: uuid */
            id: string;
            /** @description True for a run of the draft, as it was when the run was started */
            is_draft: boolean;
            /** @description Whether a language model judges the answers by rubrics and references */
            judge: boolean;
            not_judged: number;
            passed: number;
            /**
             * @description `queued` until its first test begins, then `running`, until it is `done` or `stopped`
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "stopped";
            /** @description The number of its tests */
            total: number;
            /** @description Whether it waits because a budget is used up */
            waits_for_budget: boolean;
            /** @description Whether it waits because the model has failed, and is tried again */
            waits_for_model: boolean;
        };
        Thread: {
            /** @description The answer that is being written, to stop it or to stream it again; null if there is none */
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
            /** @description With a search, for the first 100 of a list: plain text around the words that were found, in the message that has most of them or in the title. Every second part is such a word, beginning with the second one: `["Where do ", "owls", " sleep?"]` */
            excerpt?: string[];
            /**
             * @description Who answers
             * @enum {string}
             */
            handled_by?: "ai" | "expert";
            /** Format: uuid */
            id: string;
            is_archived?: boolean;
            is_pinned?: boolean;
            /** @description The state of the oldest request that waits for the expert: `waiting` or `seen`; null: none waits */
            request_status?: ("waiting" | "seen" | "answered" | "withdrawn") | null;
            /** @description The time when the takeover ends automatically unless the expert writes before; null if there is none */
            taken_over_until?: string | null;
            /** @description The title that the user gave it. By default, the first message, shortened at a word to at most 80 characters */
            title: string;
            /** @description The number of messages that the user has not read: messages of the expert, and answers that were completed when nobody was connected to them any more. `markThreadRead` sets it to 0 */
            unread?: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID if no user was named */
            user_id: string;
        };
        ThreadList: {
            /** @description With `include=coaches` or `coach`: by name */
            coaches?: components["schemas"]["Coach"][];
            /** @description The number of threads in `data` */
            count: number;
            /** @description Most recently updated first; best match first with a search */
            data: components["schemas"]["Thread"][];
            /** @description Only if a page was requested: the `cursor` of the next page, null on the last */
            next_cursor?: string | null;
            /** @description With them: of how many of the user's hundred newest threads with each coach something is unread */
            unread_by_coach?: {
                [key: string]: number;
            };
        };
        ThreadWithState: {
            /** @description The answer that is being written, to stop it or to stream it again; null if there is none */
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
            /** @description The state of the oldest request that waits for the expert: `waiting` or `seen`; null: none waits */
            request_status: ("waiting" | "seen" | "answered" | "withdrawn") | null;
            /** @description The time when the takeover ends automatically unless the expert writes before; null if there is none */
            taken_over_until: string | null;
            /** @description The title that the user gave it. By default, the first message, shortened at a word to at most 80 characters */
            title: string;
            /** @description The number of messages that the user has not read: messages of the expert, and answers that were completed when nobody was connected to them any more. `markThreadRead` sets it to 0 */
            unread: number;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            updated_at: string;
            /** @description `anonymous-` and a UUID if no user was named */
            user_id: string;
        };
        Topic: {
            /** @description What changed after an answer was given; null: no open question of the topic was answered */
            answered: {
                /**
                 * Format: date-time
                 * @description When an expert last answered a question of these conversations
                 * @example 2026-11-20T16:03:33.140Z
                 */
                at: string;
                /** @description The conversations of both periods before that */
                before: {
                    /** @description The conversations that began in that time */
                    conversations: number;
                    /** @description Those of them in which the coach did not know an answer */
                    not_known: number;
                };
                /** @description The conversations since */
                since: {
                    /** @description The conversations that began in that time */
                    conversations: number;
                    /** @description Those of them in which the coach did not know an answer */
                    not_known: number;
                };
            } | null;
            /** @description The conversations of the period that were about it */
            conversations: number;
            /** @description Up to three questions without personal details, from a model or, without one, as for `name` */
            examples: string[];
            /** Format: uuid */
            id: string;
            /** @description The name that a model gave it. Without a model, words that at least three people used */
            name: string;
            /** @description The conversations in which the coach did not know an answer */
            not_known: number;
            /** @description The conversations with a thumbs-down */
            rated_down: number;
            /** @description Its share of all conversations of the period, from 0 to 1 */
            share: number;
            /** @description `conversations`, minus those of the equally long period before */
            trend: number;
        };
        TopicList: {
            /** @description The topics of at least three people, the largest first, at most 30. Smaller ones are left out */
            data: components["schemas"]["Topic"][];
            /** @description Whether conversations are still to be sorted. Each is within a minute at first, and later within an hour */
            is_partial: boolean;
        };
        TriedAnswer: {
            /** @description The open question that a turn would have stored because the model does not know the answer; otherwise null */
            asks_expert: string | null;
            /**
             * @description `expert`: the pinned answer, word for word; `ai`: written by the model
             * @enum {string}
             */
            author: "ai" | "expert";
            /** @description With `reference`, in one object: `passed` if it says the same, `failed` with what it says differently */
            comparison?: components["schemas"]["TestJudgement"];
            /** @description The sources that the text names, by their number; or the pinned answer that it repeats */
            sources: components["schemas"]["Source"][];
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
            /** @description The answer; null unless it was asked for */
            answer: components["schemas"]["TriedAnswer"] | null;
            /** @description The pinned answer that would be given word for word, without the model; otherwise null */
            exact: components["schemas"]["TriedPinnedAnswer"] | null;
            /** @description Similar pinned answers that the model would be given, best first */
            near: components["schemas"]["TriedPinnedAnswer"][];
            /** @description Passages that the model would be given, best first */
            passages: components["schemas"]["PassageSource"][];
        };
        TryQuestionBody: {
            /** @description Also returns the answer that would be given, as streams always do. That calls the model and costs as much as a turn */
            answer?: boolean | null;
            /** @description Asks the persona as it would be if its draft were published; by default, as it is */
            draft?: boolean | null;
            /** @description The messages before it, oldest first: at most 20. By default, the question is the first of a conversation */
            history?: {
                content: string;
                /** @enum {string} */
                role: "user" | "assistant";
            }[] | null;
            /** @description A question as a person might ask it */
            question: string;
            /** @description An answer to compare with, such as one that was given before. The language model is called once more; not in streams */
            reference?: string | null;
        };
        Typing: {
            thread_id: string;
        };
        UnbarredPassage: {
            /** @constant */
            message: "The passage may be used again";
            passageId: string;
        };
        UpdateConversationBody: {
            /** @description The expert who sees to it: `user_id`; null: nobody */
            assigned_to?: string | null;
            /** @description Whether it is done with, for all experts. A new question opens it again */
            is_closed?: boolean;
            /** @description For the other experts; blank or null: none. The person never sees it here, but in an export of all that is stored about them */
            note?: string | null;
        };
        UpdateExpertBody: {
            /**
             * @description The new role
             * @enum {string}
             */
            role: "answerer" | "editor" | "owner";
        };
        UpdateFileBody: {
            /** @description Its new name, with the extension of its type */
            filename?: string;
            /** @description The first day (UTC) on which answers may draw on it; null: from the beginning */
            valid_from?: string | null;
            /** @description The last such day, inclusive; null: there is no end */
            valid_until?: string | null;
        };
        UpdatePinnedAnswerBody: {
            /** @description The expert's answer */
            answer?: string;
            /** @description Whether it is active */
            is_active?: boolean;
            /** @description The question, as a person would ask it */
            question?: string;
            /** @description Other ways to ask it: up to 20. They replace all existing ones */
            variants?: string[];
        };
        UpdateReplyBody: {
            content?: string;
            name?: string;
        };
        UpdateSourceBody: {
            /** @description The most pages that are read. A lower limit deletes the pages beyond it at the next refresh */
            limit?: number;
            /**
             * @description When the source is read again: `never`, `daily` or `weekly`
             * @enum {string}
             */
            refresh?: "never" | "daily" | "weekly";
        };
        UpdateTestBody: {
            /** @description What is expected of the answer. It replaces all of the existing one */
            expect?: {
                /** @description Texts that the answer must contain, each of them; upper and lower case count */
                contains?: string[];
                /** @description Texts of which the answer must contain at least one; upper and lower case count */
                contains_any?: string[];
                /** @description Texts that the answer must contain, each of them, in upper or lower case */
                icontains?: string[];
                /** @description Texts that the answer must not contain; upper and lower case count */
                not_contains?: string[];
                /**
                 * @description What kind of answer it is: `answered` by the model, `not_known` where the persona says that it does not know and asks its expert, or `pinned`: a pinned answer, word for word
                 * @enum {string}
                 */
                outcome?: "answered" | "not_known" | "pinned";
                /** @description What a good answer says, in words. Judged by a language model, in runs with `judge` alone */
                rubric?: string;
                /** @description Names of files that the answer must draw on: `all` of them, and at least one of `any` */
                sources?: {
                    all?: string[];
                    any?: string[];
                };
            };
            /** @description The messages before it, oldest first: at most 20. They replace all existing ones */
            history?: {
                content: string;
                /** @enum {string} */
                role: "user" | "assistant";
            }[];
            /** @description The question, as a person would ask it */
            question?: string;
            /** @description The answer that the expert would give. With the question alone, it is a whole test. A language model compares the answer with it, in runs with `judge`; without it, the test is `not_judged`. Null: there is none any more */
            reference?: string | null;
        };
        UpdateThreadBody: {
            /** @description Whether the thread is archived. Lists can leave it out */
            is_archived?: boolean;
            /** @description Whether the thread is pinned. This does not change the order of lists */
            is_pinned?: boolean;
            /** @description The new title; line breaks become spaces */
            title?: string;
        };
        UploadReply: {
            failedFiles: {
                /** @description The reason why the file was rejected */
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
            /** @description Input tokens, among `input_tokens`, that the model's server had in its cache */
            cached_tokens: number;
            /** @description The cost of the answers whose model had a price, in millionths of a US dollar */
            cost_micro_usd: number;
            /** Format: date */
            day: string;
            /** @description Answers whose tokens are estimated at least in part, because the model's server did not report them */
            estimated_turns: number;
            /** @description Thumbs-down on answers of that day */
            feedback_down: number;
            /** @description Thumbs-up on answers of that day */
            feedback_up: number;
            /** @description Input tokens of the model */
            input_tokens: number;
            /** @description Output tokens of the model */
            output_tokens: number;
            /** @description The number of different people who asked, without erased users */
            people: number;
            /** @description Open questions that were first asked on that day */
            questions_opened: number;
            /** @description Output tokens, among `output_tokens`, that were the model's thoughts */
            reasoning_tokens: number;
            /** @description Answers that have ended, including failed ones and those to tests */
            turns: number;
            /** @description Answers whose cost is not known, because their model had no price */
            unpriced_turns: number;
        };
        UserMail: {
            /** @description The address; null: the user has given none */
            email: string | null;
            /** @description Whether this service sends such mails: it does if its operator has set up mail and the address of the page */
            is_available: boolean;
            /** @description Whether the link in the confirmation mail was opened */
            is_confirmed: boolean;
            /** @description Whether the mail server of the address has refused it: nothing is sent to it any more */
            is_refused: boolean;
            /**
             * @description The language of the mails
             * @enum {string}
             */
            language: "en" | "de" | "fr" | "es" | "pt" | "ar";
        };
        WeekOfCoach: {
            /** @description Answers that people got, without those to tests */
            answers: number;
            /** @description Thumbs-down */
            bad: number;
            /** @description Conversations that began */
            conversations: number;
            /**
             * Format: date
             * @description The first of the seven days
             */
            from: string;
            /** @description Thumbs-up */
            good: number;
            /** @description How often the coach did not know an answer */
            not_known: number;
            /** @description Answers, among `answers`, in the words of an expert: pinned ones, and what was said in person */
            own_words: number;
            /** @description The number of different people who asked, without erased users */
            people: number;
        };
        WrittenText: {
            /** @description Markdown, without the title */
            content: string;
            /** Format: uuid */
            fileId: string;
            /**
             * Format: date-time
             * @description ISO 8601 in UTC
             * @example 2026-11-20T16:03:33.140Z
             */
            saved_at: string;
            /** @description Null if a server has saved it with its key, or the expert is gone */
            saved_by: components["schemas"]["ExpertName"] | null;
            title: string;
            /** @description Increases with every change */
            version: number;
        };
    };
    responses: never;
    parameters: {
        /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
        "X-Request-Id": string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds to wait */
        "Retry-After": number;
        /** @description The answer, to follow it from another connection or to stop it */
        "X-Message-Id": string;
        /** @description The limit of the window with the fewest requests left: a minute, an hour or a day */
        "X-RateLimit-Limit": number;
        /** @description The requests left in that window */
        "X-RateLimit-Remaining": number;
        /** @description When that window resets, in epoch seconds */
        "X-RateLimit-Reset": number;
        /** @description Identifies the log lines of the request. It is the caller's own ID if that was valid */
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
                /** @description Makes the request safe to repeat for 24 hours: a repetition gets the same thread, message and answer, and the model is not called again */
                "Idempotency-Key"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *         "content": "Listen first [1].\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31,
                     *           "number": 1
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
        };
    };
    retryAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that started the answer */
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
                     *         "content": "Listen first [1].\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31,
                     *           "number": 1
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
        };
    };
    stopAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that started the answer */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer as it is stored. If it had already ended, it is returned unchanged */
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
                     *         "content": "Listen first [1].\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31,
                     *           "number": 1
                     *         }
                     *       ],
                     *       "status": "complete",
                     *       "author": "ai"
                     *     }
                     */
                    "application/json": components["schemas"]["AnswerObject"];
                };
            };
        };
    };
    followAnswer: {
        parameters: {
            query?: {
                /** @description The same, for browsers, which cannot set that header for another origin. A reconnecting `EventSource` sends both the header and the original address: the header takes precedence */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event received, unchanged */
                "Last-Event-ID"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `X-Message-Id` of the reply that started the answer */
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
                     *         "content": "Listen first [1].\nThen ask what should stay.",
                     *         "role": "assistant",
                     *         "response_id": "resp_68a1f0c2",
                     *         "created_at": "2026-11-20T16:03:33.140Z"
                     *       },
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31,
                     *           "number": 1
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
            /** @description Nothing left to send: the text has ended, and the reader has all of it */
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
        };
    };
    listCoaches: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coaches; the list may be empty */
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
                     *           "sources_are_open": false,
                     *           "slug": "mara-lindqvist",
                     *           "accent_color": "#0a7d5c",
                     *           "launcher_text": null,
                     *           "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *           "is_ai": true,
                     *           "retention_days": 90
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["CoachList"];
                };
            };
        };
    };
    createCoach: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCoachBody"];
            };
        };
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
                     *       "sources_are_open": false,
                     *       "slug": "mara-lindqvist",
                     *       "accent_color": "#0a7d5c",
                     *       "launcher_text": null,
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "is_ai": true,
                     *       "retention_days": 90,
                     *       "role": "owner",
                     *       "is_active": false
                     *     }
                     */
                    "application/json": components["schemas"]["OwnCoach"];
                };
            };
            /** @description The coach, which is new */
            201: {
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
                     *       "sources_are_open": false,
                     *       "slug": "mara-lindqvist",
                     *       "accent_color": "#0a7d5c",
                     *       "launcher_text": null,
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "is_ai": true,
                     *       "retention_days": 90,
                     *       "role": "owner",
                     *       "is_active": false
                     *     }
                     */
                    "application/json": components["schemas"]["OwnCoach"];
                };
            };
        };
    };
    getCoach: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *       "sources_are_open": false,
                     *       "slug": "mara-lindqvist",
                     *       "accent_color": "#0a7d5c",
                     *       "launcher_text": null,
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "is_ai": true,
                     *       "retention_days": 90,
                     *       "usual_reply_hours": 5.5,
                     *       "tells_by_mail": true
                     *     }
                     */
                    "application/json": components["schemas"]["CoachWithTimes"];
                };
            };
        };
    };
    deleteCoach: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose owner makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DeleteCoachBody"];
            };
        };
        responses: {
            /** @description It is deleted */
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
                     *       "message": "Coach deleted successfully",
                     *       "coachId": "demo-coach"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedCoach"];
                };
            };
        };
    };
    listActs: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The acts; the list may be empty */
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
                     *           "id": 17,
                     *           "kind": "expert.changed",
                     *           "coach_id": "demo-coach",
                     *           "subject": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
                     *           "subject_user": {
                     *             "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
                     *             "name": "Jon Ekdal",
                     *             "email": "jon@example.com"
                     *           },
                     *           "by": "expert",
                     *           "user": {
                     *             "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
                     *             "name": null,
                     *             "email": "mara@example.com"
                     *           },
                     *           "api_key_id": "5b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
                     *           "created_at": "2026-11-22T10:01:55.083Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ActList"];
                };
            };
        };
    };
    listPinnedAnswers: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Only active or only inactive ones; by default, both */
                is_active?: "true" | "false";
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
                /** @description Words or parts of words. The question, variants and answer together must contain all of them; case is ignored */
                search?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pinned answers; the list may be empty */
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
        };
    };
    createPinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
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
        };
    };
    getPinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert makes the request */
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
        };
    };
    deletePinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pinned answer was deleted */
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
        };
    };
    updatePinnedAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The pinned answer: `id` in the list */
                answerId: string;
                /** @description The coach whose expert makes the request */
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
            /** @description The changed pinned answer */
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
        };
    };
    exportPinnedAnswers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sheet, as a file to be saved */
            200: {
                headers: {
                    /** @description A name for the file: `attachment; filename=…` */
                    "Content-Disposition": string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example question,answer,variants,is_active
                     *     May dogs come along?,Yes.,,true
                     */
                    "text/csv": components["schemas"]["AnswerSheet"];
                };
            };
        };
    };
    importPinnedAnswers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportPinnedAnswersBody"];
            };
        };
        responses: {
            /** @description What became of each row, or would */
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
                     *       "preview": true,
                     *       "added": 1,
                     *       "changed": 0,
                     *       "unchanged": 0,
                     *       "refused": 0,
                     *       "rows": [
                     *         {
                     *           "row": 2,
                     *           "status": "added",
                     *           "question": "May dogs come along?",
                     *           "variants": null,
                     *           "answer": "Yes.",
                     *           "is_active": null,
                     *           "answer_id": null,
                     *           "previous": null,
                     *           "field": null,
                     *           "reason": null
                     *         }
                     *       ],
                     *       "unused_columns": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedAnswers"];
                };
            };
        };
    };
    listBarredPassages: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The barred passages; the list may be empty */
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
        };
    };
    barPassage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The passage: `passageId` in the sources of an answer */
                passageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passage, with its text if a file still contains it */
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
        };
    };
    unbarPassage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
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
        };
    };
    getDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft */
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
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "version": 7,
                     *       "based_on": 7,
                     *       "revision": 3,
                     *       "saved_at": "2026-11-20T16:03:33.140Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "instructions"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaDraft"];
                };
            };
        };
    };
    saveDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveDraftBody"];
            };
        };
        responses: {
            /** @description The draft */
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
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "version": 7,
                     *       "based_on": 7,
                     *       "revision": 3,
                     *       "saved_at": "2026-11-20T16:03:33.140Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "instructions"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaDraft"];
                };
            };
        };
    };
    deleteDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no draft */
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
                     *       "message": "Draft deleted successfully",
                     *       "coachId": "demo-coach"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedDraft"];
                };
            };
        };
    };
    watchCoach: {
        parameters: {
            query?: {
                /** @description The same, for pages, which cannot send that header to another origin. The header takes precedence */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event received, unchanged */
                "Last-Event-ID"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
        };
    };
    listExperts: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The experts; the list may be empty */
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
                     *           "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
                     *           "name": null,
                     *           "email": "mara@example.com",
                     *           "role": "owner",
                     *           "is_you": true,
                     *           "created_at": "2026-11-20T16:03:33.140Z"
                     *         },
                     *         {
                     *           "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
                     *           "name": "Jon Ekdal",
                     *           "email": "jon@example.com",
                     *           "role": "answerer",
                     *           "is_you": false,
                     *           "created_at": "2026-11-21T09:12:08.512Z"
                     *         }
                     *       ],
                     *       "count": 2
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertList"];
                };
            };
        };
    };
    removeExpert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The expert: `user_id` in the list, or `me` with an access token */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is no longer an expert of the coach */
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
                     *       "message": "Expert removed successfully",
                     *       "userId": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002"
                     *     }
                     */
                    "application/json": components["schemas"]["RemovedExpert"];
                };
            };
        };
    };
    updateExpert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The expert: `user_id` in the list, or `me` with an access token */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateExpertBody"];
            };
        };
        responses: {
            /** @description The expert */
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
                     *       "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a002",
                     *       "name": "Jon Ekdal",
                     *       "email": "jon@example.com",
                     *       "role": "editor",
                     *       "is_you": false,
                     *       "created_at": "2026-11-21T09:12:08.512Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Expert"];
                };
            };
        };
    };
    getExpertFace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name and the picture */
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
                     *       "name": "Jon Ekdal",
                     *       "picture_url": "https://example.supabase.co/storage/v1/object/public/pictures/example.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertFace"];
                };
            };
        };
    };
    saveExpertFace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveExpertFaceBody"];
            };
        };
        responses: {
            /** @description The name and the picture */
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
                     *       "name": "Jon Ekdal",
                     *       "picture_url": "https://example.supabase.co/storage/v1/object/public/pictures/example.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertFace"];
                };
            };
        };
    };
    getExpertMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The settings */
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
                     *       "address": "ada@example.com",
                     *       "is_available": true,
                     *       "is_refused": false,
                     *       "asks_for_human": true,
                     *       "digest": "daily",
                     *       "topics": false,
                     *       "hour": 8,
                     *       "weekday": 1,
                     *       "time_zone": "Europe/Berlin",
                     *       "failures": true,
                     *       "budget": true,
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertMail"];
                };
            };
        };
    };
    saveExpertMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveExpertMailBody"];
            };
        };
        responses: {
            /** @description All settings */
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
                     *       "address": "ada@example.com",
                     *       "is_available": true,
                     *       "is_refused": false,
                     *       "asks_for_human": true,
                     *       "digest": "weekly",
                     *       "topics": false,
                     *       "hour": 7,
                     *       "weekday": 1,
                     *       "time_zone": "Europe/Berlin",
                     *       "failures": true,
                     *       "budget": true,
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertMail"];
                };
            };
        };
    };
    setExpertPicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The name and the picture */
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
                     *       "name": "Jon Ekdal",
                     *       "picture_url": "https://example.supabase.co/storage/v1/object/public/pictures/example.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertFace"];
                };
            };
        };
    };
    removeExpertPicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name and the picture */
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
                     *       "name": "Jon Ekdal",
                     *       "picture_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertFace"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations; the list may be empty */
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
                     *           "id": "2f6d8b4e-93c7-4e0b-8a55-c1f1f0a3b7d9",
                     *           "role": "editor",
                     *           "email": "jon@example.com",
                     *           "created_at": "2026-11-20T16:03:33.140Z",
                     *           "expires_at": "2026-11-27T16:03:33.140Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description The invitation with its token */
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
                     *       "id": "2f6d8b4e-93c7-4e0b-8a55-c1f1f0a3b7d9",
                     *       "role": "editor",
                     *       "email": "jon@example.com",
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "expires_at": "2026-11-27T16:03:33.140Z",
                     *       "token": "hi_inv_4fKq0Zr1YwT8mB2cVd6hJxLn3PsGa9eUiRo5tDkE",
                     *       "url": "https://desk.example.com/#invitation=hi_inv_4fKq0Zr1YwT8mB2cVd6hJxLn3PsGa9eUiRo5tDkE"
                     *     }
                     */
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The invitation: `id` in the list */
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitation was deleted */
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
                     *       "message": "Invitation deleted successfully",
                     *       "invitationId": "2f6d8b4e-93c7-4e0b-8a55-c1f1f0a3b7d9"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedInvitation"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description From when on changes count, at most 30 days ago; by default, from the beginning of `week` */
                since?: string;
                /** @description The time zone in which days begin and end (by default, UTC), by its IANA name, such as `Europe/Berlin` */
                time_zone?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The overview */
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
                     *       "waiting": {
                     *         "questions": 3,
                     *         "people": 1
                     *       },
                     *       "since": "2026-11-19T08:00:00.000Z",
                     *       "changed": {
                     *         "questions": 2,
                     *         "conversations": 14,
                     *         "messages_of_people": 37,
                     *         "ratings_down": 1,
                     *         "versions": [
                     *           {
                     *             "version": 7,
                     *             "published_at": "2026-11-19T16:20:11.004Z",
                     *             "by": {
                     *               "user_id": "7b0c1c56-5d8e-4f5f-9a43-1f0f4bb2a001",
                     *               "name": null,
                     *               "email": "mara@example.com"
                     *             }
                     *           }
                     *         ],
                     *         "files": 1,
                     *         "answers_by_others": 1
                     *       },
                     *       "week": {
                     *         "from": "2026-11-14",
                     *         "conversations": 48,
                     *         "people": 31,
                     *         "answers": 214,
                     *         "own_words": 19,
                     *         "not_known": 6,
                     *         "good": 12,
                     *         "bad": 2
                     *       },
                     *       "week_before": {
                     *         "from": "2026-11-07",
                     *         "conversations": 40,
                     *         "people": 31,
                     *         "answers": 214,
                     *         "own_words": 19,
                     *         "not_known": 6,
                     *         "good": 12,
                     *         "bad": 2
                     *       },
                     *       "trouble": {
                     *         "files_failed": 0,
                     *         "sources_failed": 0,
                     *         "tests_failing": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    setPicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/jpeg": string;
                "image/png": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The draft */
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
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *       "version": 7,
                     *       "based_on": 7,
                     *       "revision": 3,
                     *       "saved_at": "2026-11-20T16:03:33.140Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "picture",
                     *         "instructions"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaDraft"];
                };
            };
        };
    };
    removePicture: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft */
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
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": null,
                     *       "version": 7,
                     *       "based_on": 7,
                     *       "revision": 3,
                     *       "saved_at": "2026-11-20T16:03:33.140Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "picture",
                     *         "instructions"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaDraft"];
                };
            };
        };
    };
    publish: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishBody"];
            };
        };
        responses: {
            /** @description The new version */
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
                     *       "version": 8,
                     *       "published_at": "2026-11-20T16:05:12.310Z",
                     *       "published_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "instructions"
                     *       ],
                     *       "restored_from": null,
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaVersion"];
                };
            };
        };
    };
    listQuestions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description `askings`: with `chats` and `merged_askings` of each question, to choose who is told the answer */
                include?: "askings";
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
                /** @description `true` lists only questions that are off topic, `false` only the others */
                off_topic?: "true" | "false";
                /** @description The status of the questions to list */
                status?: "open" | "answered" | "dismissed";
                /** @description Lists only questions that were asked in conversations of this topic */
                topic_id?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The questions; the list may be empty */
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
                     *           "off_topic": false,
                     *           "is_requested": false,
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
        };
    };
    answerQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *       "off_topic": false,
                     *       "is_requested": false,
                     *       "pinned_answer_id": "7d2f6c1a-8d0e-4a52-9b1c-3e5a4c2f1b90",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "notified": 3
                     *     }
                     */
                    "application/json": components["schemas"]["AnsweredQuestion"];
                };
            };
        };
    };
    dismissQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The changed question */
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
                     *       "off_topic": false,
                     *       "is_requested": false,
                     *       "pinned_answer_id": null,
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenQuestion"];
                };
            };
        };
    };
    reopenQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The changed question */
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
                     *       "off_topic": false,
                     *       "is_requested": false,
                     *       "pinned_answer_id": null,
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenQuestion"];
                };
            };
        };
    };
    dismissQuestions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DismissQuestionsBody"];
            };
        };
        responses: {
            /** @description The dismissed questions */
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
                     *       "question_ids": [
                     *         "4b8e2d10-7f3a-4c1e-9a6d-5f0c8b7e2a31"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DismissedQuestions"];
                };
            };
        };
    };
    listReplies: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replies; the list may be empty */
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
                     *           "id": "8c2f4b1e-5d3a-4c7e-9f60-1a2b3c4d5e6f",
                     *           "name": "Thanks",
                     *           "content": "Thank you for asking.",
                     *           "created_at": "2026-11-20T16:03:33.140Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReplyList"];
                };
            };
        };
    };
    createReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateReplyBody"];
            };
        };
        responses: {
            /** @description The saved reply */
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
                     *       "id": "8c2f4b1e-5d3a-4c7e-9f60-1a2b3c4d5e6f",
                     *       "name": "Thanks",
                     *       "content": "Thank you for asking.",
                     *       "created_at": "2026-11-20T16:03:33.140Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReply"];
                };
            };
        };
    };
    deleteReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The saved reply: `id` in the list */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no such reply */
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
                     *       "message": "Reply deleted successfully",
                     *       "replyId": "8c2f4b1e-5d3a-4c7e-9f60-1a2b3c4d5e6f"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedReply"];
                };
            };
        };
    };
    updateReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The saved reply: `id` in the list */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateReplyBody"];
            };
        };
        responses: {
            /** @description The saved reply */
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
                     *       "id": "8c2f4b1e-5d3a-4c7e-9f60-1a2b3c4d5e6f",
                     *       "name": "Thanks",
                     *       "content": "Thank you for asking!",
                     *       "created_at": "2026-11-20T16:03:33.140Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SavedReply"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose owner makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
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
                     *       "sources_are_open": false,
                     *       "slug": "mara-lindqvist",
                     *       "is_active": true,
                     *       "accent_color": "#0a7d5c",
                     *       "launcher_text": null
                     *     }
                     */
                    "application/json": components["schemas"]["CoachSettings"];
                };
            };
        };
    };
    saveSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose owner makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveSettingsBody"];
            };
        };
        responses: {
            /** @description All settings */
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
                     *       "sources_are_open": false,
                     *       "slug": "mara-lindqvist",
                     *       "is_active": true,
                     *       "accent_color": "#0a7d5c",
                     *       "launcher_text": null
                     *     }
                     */
                    "application/json": components["schemas"]["CoachSettings"];
                };
            };
        };
    };
    listTestRuns: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs; the list may be empty */
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
                     *           "id": "f3b2c1d0-6a75-4e1b-8c66-2e3f40516273",
                     *           "status": "done",
                     *           "waits_for_budget": false,
                     *           "waits_for_model": false,
                     *           "judge": false,
                     *           "is_draft": false,
                     *           "total": 1,
                     *           "done": 1,
                     *           "passed": 0,
                     *           "failed": 1,
                     *           "not_judged": 0,
                     *           "coach_version": 7,
                     *           "created_at": "2026-11-20T16:03:33.140Z",
                     *           "ended_at": "2026-11-20T16:03:39.480Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["TestRunList"];
                };
            };
        };
    };
    startTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartTestRunBody"];
            };
        };
        responses: {
            /** @description The run */
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
                     *       "id": "f3b2c1d0-6a75-4e1b-8c66-2e3f40516273",
                     *       "status": "queued",
                     *       "waits_for_budget": false,
                     *       "waits_for_model": false,
                     *       "judge": false,
                     *       "is_draft": false,
                     *       "total": 1,
                     *       "done": 0,
                     *       "passed": 0,
                     *       "failed": 0,
                     *       "not_judged": 0,
                     *       "coach_version": 7,
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "ended_at": null,
                     *       "results": [],
                     *       "newly_failing": [],
                     *       "newly_passing": []
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
        };
    };
    getTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The run: `id` in the list */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run with its results */
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
                     *       "id": "f3b2c1d0-6a75-4e1b-8c66-2e3f40516273",
                     *       "status": "done",
                     *       "waits_for_budget": false,
                     *       "waits_for_model": false,
                     *       "judge": false,
                     *       "is_draft": false,
                     *       "total": 1,
                     *       "done": 1,
                     *       "passed": 0,
                     *       "failed": 1,
                     *       "not_judged": 0,
                     *       "coach_version": 7,
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "ended_at": "2026-11-20T16:03:39.480Z",
                     *       "results": [
                     *         {
                     *           "test_id": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
                     *           "question": "How do I start with a new team?",
                     *           "reference": null,
                     *           "verdict": "failed",
                     *           "reasons": [
                     *             "The answer does not contain \"half an hour\"."
                     *           ],
                     *           "outcome": "answered",
                     *           "text": "Talk to each of them before you change anything [1].",
                     *           "sources": [
                     *             {
                     *               "kind": "passage",
                     *               "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *               "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *               "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *               "filename": "First ninety days.md",
                     *               "source_url": null,
                     *               "position": 3,
                     *               "page": null,
                     *               "heading": "The first week",
                     *               "quote": "Listen before you change anything.",
                     *               "score": 7.31,
                     *               "number": 1
                     *             }
                     *           ],
                     *           "judge": null,
                     *           "tokens": {
                     *             "input": 1240,
                     *             "output": 18
                     *           },
                     *           "time_ms": 1830,
                     *           "compared": {
                     *             "run_id": "e4c3d2e1-5b86-4d2a-9d77-3f4051627384",
                     *             "verdict": "passed",
                     *             "outcome": "answered",
                     *             "text": "Listen to each of them for half an hour first [1].",
                     *             "sources": [
                     *               {
                     *                 "kind": "passage",
                     *                 "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *                 "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *                 "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *                 "filename": "First ninety days.md",
                     *                 "source_url": null,
                     *                 "position": 3,
                     *                 "page": null,
                     *                 "heading": "The first week",
                     *                 "quote": "Listen before you change anything.",
                     *                 "score": 7.31,
                     *                 "number": 1
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "newly_failing": [
                     *         "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162"
                     *       ],
                     *       "newly_passing": []
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
        };
    };
    stopTestRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The run: `id` in the list */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run with its results */
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
                     *       "id": "f3b2c1d0-6a75-4e1b-8c66-2e3f40516273",
                     *       "status": "stopped",
                     *       "waits_for_budget": false,
                     *       "waits_for_model": false,
                     *       "judge": false,
                     *       "is_draft": false,
                     *       "total": 2,
                     *       "done": 1,
                     *       "passed": 0,
                     *       "failed": 1,
                     *       "not_judged": 0,
                     *       "coach_version": 7,
                     *       "created_at": "2026-11-20T16:03:33.140Z",
                     *       "ended_at": "2026-11-20T16:03:39.480Z",
                     *       "results": [
                     *         {
                     *           "test_id": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
                     *           "question": "How do I start with a new team?",
                     *           "reference": null,
                     *           "verdict": "failed",
                     *           "reasons": [
                     *             "The answer does not contain \"half an hour\"."
                     *           ],
                     *           "outcome": "answered",
                     *           "text": "Talk to each of them before you change anything [1].",
                     *           "sources": [
                     *             {
                     *               "kind": "passage",
                     *               "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *               "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *               "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *               "filename": "First ninety days.md",
                     *               "source_url": null,
                     *               "position": 3,
                     *               "page": null,
                     *               "heading": "The first week",
                     *               "quote": "Listen before you change anything.",
                     *               "score": 7.31,
                     *               "number": 1
                     *             }
                     *           ],
                     *           "judge": null,
                     *           "tokens": {
                     *             "input": 1240,
                     *             "output": 18
                     *           },
                     *           "time_ms": 1830,
                     *           "compared": {
                     *             "run_id": "e4c3d2e1-5b86-4d2a-9d77-3f4051627384",
                     *             "verdict": "passed",
                     *             "outcome": "answered",
                     *             "text": "Listen to each of them for half an hour first [1].",
                     *             "sources": [
                     *               {
                     *                 "kind": "passage",
                     *                 "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *                 "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *                 "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *                 "filename": "First ninety days.md",
                     *                 "source_url": null,
                     *                 "position": 3,
                     *                 "page": null,
                     *                 "heading": "The first week",
                     *                 "quote": "Listen before you change anything.",
                     *                 "score": 7.31,
                     *                 "number": 1
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "newly_failing": [
                     *         "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162"
                     *       ],
                     *       "newly_passing": []
                     *     }
                     */
                    "application/json": components["schemas"]["TestRun"];
                };
            };
        };
    };
    listTests: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
                /** @description Words or parts of words. The question must contain all of them; case is ignored */
                search?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tests; the list may be empty */
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
                     *           "id": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
                     *           "question": "How do I start with a new team?",
                     *           "history": [],
                     *           "expect": {
                     *             "outcome": "answered",
                     *             "contains": [
                     *               "half an hour"
                     *             ],
                     *             "sources": {
                     *               "any": [
                     *                 "First ninety days.md"
                     *               ]
                     *             }
                     *           },
                     *           "reference": null,
                     *           "thread_id": null,
                     *           "last_verdict": "failed",
                     *           "created_at": "2026-11-19T08:12:00.000Z",
                     *           "updated_at": "2026-11-19T08:12:00.000Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaTestList"];
                };
            };
        };
    };
    createTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestBody"];
            };
        };
        responses: {
            /** @description The test */
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
                     *       "id": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
                     *       "question": "How do I start with a new team?",
                     *       "history": [],
                     *       "expect": {
                     *         "outcome": "answered",
                     *         "contains": [
                     *           "half an hour"
                     *         ],
                     *         "sources": {
                     *           "any": [
                     *             "First ninety days.md"
                     *           ]
                     *         }
                     *       },
                     *       "reference": null,
                     *       "thread_id": null,
                     *       "last_verdict": "failed",
                     *       "created_at": "2026-11-19T08:12:00.000Z",
                     *       "updated_at": "2026-11-19T08:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaTest"];
                };
            };
        };
    };
    deleteTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The test: `id` in the list */
                testId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test was deleted */
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
                     *       "message": "Test deleted successfully",
                     *       "testId": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedPersonaTest"];
                };
            };
        };
    };
    updateTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The test: `id` in the list */
                testId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTestBody"];
            };
        };
        responses: {
            /** @description The changed test */
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
                     *       "id": "c2a1f0de-7b64-4f0c-9a55-1d2e3f405162",
                     *       "question": "How do I start with a new team?",
                     *       "history": [],
                     *       "expect": {
                     *         "outcome": "answered",
                     *         "contains": [
                     *           "half an hour"
                     *         ],
                     *         "sources": {
                     *           "any": [
                     *             "First ninety days.md"
                     *           ]
                     *         }
                     *       },
                     *       "reference": null,
                     *       "thread_id": null,
                     *       "last_verdict": "failed",
                     *       "created_at": "2026-11-19T08:12:00.000Z",
                     *       "updated_at": "2026-11-19T08:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaTest"];
                };
            };
        };
    };
    listConversations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Only threads updated on this day, at this time, or later */
                from?: string;
                /** @description `down`: only threads with an answer that has a thumbs-down */
                has_feedback?: "down";
                /** @description Only those that were closed, or only the others; by default, both */
                is_closed?: "true" | "false";
                /** @description The maximum number of threads on a page */
                limit?: number;
                /** @description `true`: only threads in which somebody is waiting for the expert */
                needs_reply?: "true";
                /** @description Words to look for in titles and messages. Any of them may match; the best match comes first. The last word may be incomplete. An empty search is ignored */
                search?: string;
                /** @description `true`: instead of these, the turns that stand alone, as for the threads of a user */
                standalone?: "true" | "false";
                /** @description The time zone in which days begin and end (by default, UTC), by its IANA name, such as `Europe/Berlin` */
                time_zone?: string;
                /** @description Only threads updated on this day, at this time, or earlier */
                to?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The conversations; the list may be empty */
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
                     *           "request_status": null,
                     *           "unread": 0,
                     *           "needs_reply_at": null,
                     *           "request": null,
                     *           "has_down": true,
                     *           "person": {
                     *             "name": "Grace Hopper",
                     *             "email": "grace@example.com",
                     *             "language": "en",
                     *             "page_url": "https://example.com/courses",
                     *             "threads": 3,
                     *             "first_seen_at": "2026-11-02T09:41:20.512Z"
                     *           },
                     *           "taken_over_by": null,
                     *           "assigned_to": null,
                     *           "is_closed": false,
                     *           "note": null,
                     *           "is_unread": true
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
                /** @description The thread */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0,
                     *       "needs_reply_at": null,
                     *       "request": null,
                     *       "has_down": true,
                     *       "person": {
                     *         "name": "Grace Hopper",
                     *         "email": "grace@example.com",
                     *         "language": "en",
                     *         "page_url": "https://example.com/courses",
                     *         "threads": 3,
                     *         "first_seen_at": "2026-11-02T09:41:20.512Z"
                     *       },
                     *       "taken_over_by": null,
                     *       "assigned_to": null,
                     *       "is_closed": false,
                     *       "note": null,
                     *       "is_unread": true
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
        };
    };
    updateConversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach */
                coachId: string;
                /** @description The thread */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConversationBody"];
            };
        };
        responses: {
            /** @description The conversation */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0,
                     *       "needs_reply_at": null,
                     *       "request": null,
                     *       "has_down": true,
                     *       "person": {
                     *         "name": "Grace Hopper",
                     *         "email": "grace@example.com",
                     *         "language": "en",
                     *         "page_url": "https://example.com/courses",
                     *         "threads": 3,
                     *         "first_seen_at": "2026-11-02T09:41:20.512Z"
                     *       },
                     *       "taken_over_by": null,
                     *       "assigned_to": null,
                     *       "is_closed": true,
                     *       "note": null,
                     *       "is_unread": true
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
        };
    };
    listTopics: {
        parameters: {
            query?: {
                /** @description The first day, or the first moment; by default, 30 days before the last one */
                from?: string;
                /** @description The time zone in which days begin and end (by default, UTC), by its IANA name, such as `Europe/Berlin` */
                time_zone?: string;
                /** @description The last day, which is included, or the last moment; by default, now. At most 366 days */
                to?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The topics; the list may be empty */
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
                     *           "id": "3b0c5e4a-3a53-4a6e-8d0f-0f6f0c0a7d11",
                     *           "name": "Intermittent fasting",
                     *           "share": 0.31,
                     *           "conversations": 38,
                     *           "trend": 12,
                     *           "not_known": 9,
                     *           "rated_down": 2,
                     *           "examples": [
                     *             "May I drink coffee while fasting?"
                     *           ],
                     *           "answered": {
                     *             "at": "2026-11-20T09:30:00.000Z",
                     *             "before": {
                     *               "conversations": 26,
                     *               "not_known": 8
                     *             },
                     *             "since": {
                     *               "conversations": 38,
                     *               "not_known": 1
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "is_partial": false
                     *     }
                     */
                    "application/json": components["schemas"]["TopicList"];
                    /**
                     * @example name,share,conversations,trend,not_known,rated_down,examples,id
                     *     Intermittent fasting,0.31,38,12,9,2,May I drink coffee while fasting?,3b0c5e4a-3a53-4a6e-8d0f-0f6f0c0a7d11
                     */
                    "text/csv": string;
                };
            };
        };
    };
    listTopicThreads: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description The first day, or the first moment; by default, 30 days before the last one */
                from?: string;
                /** @description The maximum number of threads on a page */
                limit?: number;
                /** @description The time zone in which days begin and end (by default, UTC), by its IANA name, such as `Europe/Berlin` */
                time_zone?: string;
                /** @description The last day, which is included, or the last moment; by default, now. At most 366 days */
                to?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The topic: `id` in the list */
                topicId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversations; the list may be empty */
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
                     *           "request_status": null,
                     *           "unread": 0,
                     *           "needs_reply_at": null,
                     *           "request": null,
                     *           "has_down": true,
                     *           "person": {
                     *             "name": "Grace Hopper",
                     *             "email": "grace@example.com",
                     *             "language": "en",
                     *             "page_url": "https://example.com/courses",
                     *             "threads": 3,
                     *             "first_seen_at": "2026-11-02T09:41:20.512Z"
                     *           },
                     *           "taken_over_by": null,
                     *           "assigned_to": null,
                     *           "is_closed": false,
                     *           "note": null,
                     *           "is_unread": true
                     *         }
                     *       ],
                     *       "count": 1,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationList"];
                };
            };
        };
    };
    tryQuestion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach to ask */
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
            /** @description The material, and the answer if it was asked for */
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
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ],
                     *       "answer": {
                     *         "text": "I do not know that. I have passed your question on.",
                     *         "author": "ai",
                     *         "sources": [],
                     *         "asks_expert": "May I delegate feedback?"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TriedQuestion"];
                    "text/event-stream": string;
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description The first day; by default, 29 days before the last one */
                from?: string;
                /** @description The time zone in which days begin and end (by default, UTC), by its IANA name, such as `Europe/Berlin` */
                time_zone?: string;
                /** @description The last day, which is included; by default, today. At most 366 days */
                to?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *           "cached_tokens": 302592,
                     *           "output_tokens": 40118,
                     *           "reasoning_tokens": 11264,
                     *           "estimated_turns": 4,
                     *           "cost_micro_usd": 697899,
                     *           "unpriced_turns": 0,
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
                     *         "cached_tokens": 302592,
                     *         "output_tokens": 40118,
                     *         "reasoning_tokens": 11264,
                     *         "estimated_turns": 4,
                     *         "cost_micro_usd": 697899,
                     *         "unpriced_turns": 0,
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
        };
    };
    listVersions: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The versions */
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
                     *           "version": 8,
                     *           "published_at": "2026-11-20T16:05:12.310Z",
                     *           "published_by": {
                     *             "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *             "name": null,
                     *             "email": "mara@example.com"
                     *           },
                     *           "changes": [
                     *             "instructions"
                     *           ],
                     *           "restored_from": null
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaVersionList"];
                };
            };
        };
    };
    getVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The number of the version: `version` in the list; 0: what the persona was made as, unless it was published at once */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version */
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
                     *       "version": 8,
                     *       "published_at": "2026-11-20T16:05:12.310Z",
                     *       "published_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "instructions"
                     *       ],
                     *       "restored_from": null,
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaVersion"];
                };
            };
        };
    };
    restoreVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The coach whose expert makes the request */
                coachId: string;
                /** @description The number of the version: `version` in the list; 0: what the persona was made as, unless it was published at once */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RestoreVersionBody"];
            };
        };
        responses: {
            /** @description The new version */
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
                     *       "version": 9,
                     *       "published_at": "2026-11-20T16:05:12.310Z",
                     *       "published_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       },
                     *       "changes": [
                     *         "instructions"
                     *       ],
                     *       "restored_from": 6,
                     *       "name": "Mara Lindqvist",
                     *       "title": "Leadership Coach",
                     *       "greeting": "Hello, I am Mara. What is on your mind?",
                     *       "starters": [
                     *         "How do I start with a new team?",
                     *         "How do I give feedback that lands?"
                     *       ],
                     *       "instructions": "Ask before you tell. Answer in at most five sentences.",
                     *       "language": "english",
                     *       "no_answer": "I have not worked on that. Let me ask the real Mara.",
                     *       "takeover_notice": "I will write to you myself.",
                     *       "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg"
                     *     }
                     */
                    "application/json": components["schemas"]["PersonaVersion"];
                };
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description The coach and the role */
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
                     *       "coach_id": "demo-coach",
                     *       "role": "editor",
                     *       "is_new": false
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewInvitationBody"];
            };
        };
        responses: {
            /** @description The role and the coach */
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
                     *       "role": "editor",
                     *       "coach": {
                     *         "name": "Mara Lindqvist",
                     *         "title": "Leadership Coach"
                     *       },
                     *       "invited_by": "mara@example.com",
                     *       "expires_at": "2026-11-27T16:03:33.140Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It works */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
        };
    };
    searchFiles: {
        parameters: {
            query: {
                /** @description Only files of this category */
                category?: "documents" | "images" | "videos";
                /** @description The coach that the files belong to */
                coachId: string;
                /** @description `quotes`: with the number of answers of the last 30 days that draw on each file */
                include?: "quotes";
                /** @description The number of files on a page */
                limit?: number;
                /** @description The number of the page, starting with 1 */
                page?: number;
                /** @description Words to look for in names and content. Any of them may match; the best match comes first */
                search?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *           "version": 1,
                     *           "status": "ready",
                     *           "pending": null,
                     *           "error": null,
                     *           "warning": null,
                     *           "valid_from": null,
                     *           "valid_until": null,
                     *           "is_valid_today": true,
                     *           "source_id": null,
                     *           "source_url": null,
                     *           "fetched_at": null,
                     *           "is_text": false,
                     *           "title": null,
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
        };
    };
    uploadFiles: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
                /** @description `true`: a file replaces the newest uploaded file of the same name; files with new names are added */
                replace?: "true" | "false";
            };
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: the same files are not added twice */
                "Idempotency-Key"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The result for each file */
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
                     *           "error": "The file type is not supported. Supported types: PDF, …"
                     *         }
                     *       ],
                     *       "totalUploaded": 1,
                     *       "totalFailed": 1
                     *     }
                     */
                    "application/json": components["schemas"]["UploadReply"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query: {
                /** @description The coach that the file belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file: `file_id` in the sources of an answer, `fileId` in a search */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
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
                     *       "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *       "filename": "First ninety days.md",
                     *       "size": 2381,
                     *       "contentType": "text/markdown",
                     *       "uploadedAt": "2026-11-19T08:12:00.000Z",
                     *       "category": "documents",
                     *       "version": 1,
                     *       "status": "ready",
                     *       "pending": null,
                     *       "error": null,
                     *       "warning": null,
                     *       "valid_from": null,
                     *       "valid_until": null,
                     *       "is_valid_today": true,
                     *       "source_id": null,
                     *       "source_url": null,
                     *       "fetched_at": null,
                     *       "is_text": false,
                     *       "title": null,
                     *       "passages": 9,
                     *       "sections": [
                     *         {
                     *           "heading": "Before you start",
                     *           "page": null,
                     *           "passage_id": "b3a1c86e0a4f4d1f8e6f21c05b9d7e12",
                     *           "position": 0,
                     *           "passages": 3
                     *         },
                     *         {
                     *           "heading": "The first week",
                     *           "page": null,
                     *           "passage_id": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "position": 3,
                     *           "passages": 6
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileOutline"];
                };
            };
        };
    };
    replaceFile: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file to replace */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file as it answers now */
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
                     *       "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *       "filename": "First ninety days.md",
                     *       "size": 2381,
                     *       "contentType": "text/markdown",
                     *       "uploadedAt": "2026-11-19T08:12:00.000Z",
                     *       "category": "documents",
                     *       "version": 1,
                     *       "status": "ready",
                     *       "pending": "queued",
                     *       "error": null,
                     *       "warning": null,
                     *       "valid_from": null,
                     *       "valid_until": null,
                     *       "is_valid_today": true,
                     *       "source_id": null,
                     *       "source_url": null,
                     *       "fetched_at": null,
                     *       "is_text": false,
                     *       "title": null
                     *     }
                     */
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
        };
    };
    deleteFile: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The file was deleted */
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
        };
    };
    updateFile: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file to change */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateFileBody"];
            };
        };
        responses: {
            /** @description The file */
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
                     *       "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *       "filename": "First ninety days.md",
                     *       "size": 2381,
                     *       "contentType": "text/markdown",
                     *       "uploadedAt": "2026-11-19T08:12:00.000Z",
                     *       "category": "documents",
                     *       "version": 1,
                     *       "status": "ready",
                     *       "pending": null,
                     *       "error": null,
                     *       "warning": null,
                     *       "valid_from": null,
                     *       "valid_until": "2026-12-31",
                     *       "is_valid_today": true,
                     *       "source_id": null,
                     *       "source_url": null,
                     *       "fetched_at": null,
                     *       "is_text": false,
                     *       "title": null
                     *     }
                     */
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
        };
    };
    listFileChanges: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file: `fileId` in a search */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
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
                     *           "version": 2,
                     *           "changed_at": "2026-11-24T09:30:00.000Z",
                     *           "counts": {
                     *             "came": 1,
                     *             "went": 1,
                     *             "stayed": 8
                     *           },
                     *           "came": [
                     *             {
                     *               "passage_id": "0d4c8f1b6a2e4b7f9c3d5e8a7b6f1c20",
                     *               "position": 3,
                     *               "page": null,
                     *               "heading": "The first week",
                     *               "content": "Build up to 16 hours within three weeks."
                     *             }
                     *           ],
                     *           "went": [
                     *             {
                     *               "passage_id": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *               "position": 3,
                     *               "page": null,
                     *               "heading": "The first week",
                     *               "content": "Listen before you change anything."
                     *             }
                     *           ],
                     *           "stayed": [
                     *             "b3a1c86e0a4f4d1f8e6f21c05b9d7e12"
                     *           ]
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["FileChangeList"];
                };
            };
        };
    };
    getOriginal: {
        parameters: {
            query: {
                /** @description The coach that the file belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file: `file_id` in the sources of an answer, `fileId` in a search */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address */
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
                     *       "url": "https://<ref>.supabase.co/functions/v1/knowledge-handler/originals/2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44.1795363473.4m6bQzv0n1yXo3h2ZyJc5m8d0QmJg7p9bT1sW2kRr3E",
                     *       "expires_at": "2026-11-22T16:04:33.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OriginalAddress"];
                };
            };
        };
    };
    getPassage: {
        parameters: {
            query: {
                /** @description The number of passages to add that stand after it in the file */
                after?: number;
                /** @description The number of passages to add that stand before it in the file */
                before?: number;
                /** @description The coach that the file belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file: `file_id` in the sources of an answer, `fileId` in a search */
                fileId: string;
                /** @description The passage: `passageId` in the sources of an answer */
                passageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passage */
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
                     *       "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *       "filename": "First ninety days.md",
                     *       "content_type": "text/markdown",
                     *       "source_url": null,
                     *       "fetched_at": null,
                     *       "passage": {
                     *         "passage_id": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *         "position": 3,
                     *         "page": null,
                     *         "heading": "The first week",
                     *         "content": "You are new here, and they are not. Listen before you change anything.",
                     *         "repeats": 35
                     *       },
                     *       "before": [
                     *         {
                     *           "passage_id": "0c6a4f1de2b94a0c8a1b7e3d5c2f4a61",
                     *           "position": 2,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "content": "Your first week begins on Monday. You are new here, and they are not.",
                     *           "repeats": 0
                     *         }
                     *       ],
                     *       "after": [],
                     *       "has_more_before": true,
                     *       "has_more_after": false
                     *     }
                     */
                    "application/json": components["schemas"]["PassageInContext"];
                };
            };
        };
    };
    listFileQuotes: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The file: `fileId` in a search */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answers and questions */
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
                     *       "count": 1,
                     *       "data": [
                     *         {
                     *           "thread_id": "7d0a3c1e-5b2f-4d6a-9e8c-1f0b2a3c4d5e",
                     *           "message_id": "5c4b3a29-1807-4f6e-8d5c-4b3a29180706",
                     *           "quoted_at": "2026-11-24T09:31:00.000Z",
                     *           "quote": "Listen before you change anything.",
                     *           "question": "How long should I fast?"
                     *         }
                     *       ],
                     *       "questions": [
                     *         {
                     *           "id": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
                     *           "question": "May I drink tea while fasting?",
                     *           "times": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FileQuotes"];
                };
            };
        };
    };
    listContradictions: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contradictions */
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
                     *           "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *           "is_confirmed": true,
                     *           "found_at": "2026-11-20T09:13:04.120Z",
                     *           "statements": [
                     *             {
                     *               "kind": "price",
                     *               "one": "| Initial consultation | 60 min | €140 |",
                     *               "other": "The initial consultation of 60 minutes costs €120."
                     *             }
                     *           ],
                     *           "one": {
                     *             "file_id": "7a5b8f3c-2d11-4e0a-9c35-6f3d1b8a4e72",
                     *             "filename": "Prices 2026.pdf",
                     *             "source_url": null,
                     *             "dated_at": "2026-11-20T09:12:00.000Z",
                     *             "passage_id": "5f1d7a84db00d2fce00b31a7fc73224f",
                     *             "position": 0,
                     *             "page": 1,
                     *             "heading": "Prices",
                     *             "content": "| Initial consultation | 60 min | €140 |"
                     *           },
                     *           "other": {
                     *             "file_id": "0c9e6a41-5b7d-4f62-8e13-2a4d9c7b1f58",
                     *             "filename": "Questions.md",
                     *             "source_url": null,
                     *             "dated_at": "2025-02-03T15:40:00.000Z",
                     *             "passage_id": "c4ca4238a0b923820dcc509a6f75849b",
                     *             "position": 0,
                     *             "page": null,
                     *             "heading": null,
                     *             "content": "The initial consultation of 60 minutes costs €120."
                     *           }
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ContradictionList"];
                };
            };
        };
    };
    settleContradiction: {
        parameters: {
            query: {
                /** @description The coach that the files belong to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The contradiction: `id` in the list */
                contradictionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleContradictionBody"];
            };
        };
        responses: {
            /** @description The contradiction was settled */
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
                     *       "message": "Contradiction settled successfully",
                     *       "contradictionId": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90"
                     *     }
                     */
                    "application/json": components["schemas"]["SettledContradiction"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources */
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
                     *           "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *           "url": "https://www.example.com/handbook/",
                     *           "kind": "site",
                     *           "refresh": "daily",
                     *           "limit": 200,
                     *           "status": "ready",
                     *           "reason": null,
                     *           "pages": 84,
                     *           "failed_pages": 1,
                     *           "fetched_at": "2026-11-20T04:10:27.512Z",
                     *           "next_refresh_at": "2026-11-21T04:10:27.512Z"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["KnowledgeSourceList"];
                };
            };
        };
    };
    addSource: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddSourceBody"];
            };
        };
        responses: {
            /** @description The source */
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
                     *       "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "url": "https://www.example.com/handbook/",
                     *       "kind": "site",
                     *       "refresh": "daily",
                     *       "limit": 200,
                     *       "status": "queued",
                     *       "reason": null,
                     *       "pages": 0,
                     *       "failed_pages": 0,
                     *       "fetched_at": null,
                     *       "next_refresh_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
        };
    };
    getSource: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The source: `id` in the list */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
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
                     *       "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "url": "https://www.example.com/handbook/",
                     *       "kind": "site",
                     *       "refresh": "daily",
                     *       "limit": 200,
                     *       "status": "ready",
                     *       "reason": null,
                     *       "pages": 84,
                     *       "failed_pages": 1,
                     *       "fetched_at": "2026-11-20T04:10:27.512Z",
                     *       "next_refresh_at": "2026-11-21T04:10:27.512Z",
                     *       "failures": [
                     *         {
                     *           "url": "https://www.example.com/handbook/old",
                     *           "reason": "The page answered with status 500"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KnowledgeSourceDetail"];
                };
            };
        };
    };
    deleteSource: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The source: `id` in the list */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source was deleted */
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
                     *       "message": "Source deleted successfully",
                     *       "sourceId": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedSource"];
                };
            };
        };
    };
    updateSource: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The source: `id` in the list */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSourceBody"];
            };
        };
        responses: {
            /** @description The source */
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
                     *       "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "url": "https://www.example.com/handbook/",
                     *       "kind": "site",
                     *       "refresh": "weekly",
                     *       "limit": 200,
                     *       "status": "ready",
                     *       "reason": null,
                     *       "pages": 84,
                     *       "failed_pages": 1,
                     *       "fetched_at": "2026-11-20T04:10:27.512Z",
                     *       "next_refresh_at": "2026-11-21T04:10:27.512Z"
                     *     }
                     */
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
        };
    };
    refreshSource: {
        parameters: {
            query: {
                /** @description The coach that knows the source */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The source: `id` in the list */
                sourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
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
                     *       "id": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "url": "https://www.example.com/handbook/",
                     *       "kind": "site",
                     *       "refresh": "daily",
                     *       "limit": 200,
                     *       "status": "queued",
                     *       "reason": null,
                     *       "pages": 84,
                     *       "failed_pages": 1,
                     *       "fetched_at": "2026-11-20T04:10:27.512Z",
                     *       "next_refresh_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["KnowledgeSource"];
                };
            };
        };
    };
    createText: {
        parameters: {
            query: {
                /** @description The coach that the text belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTextBody"];
            };
        };
        responses: {
            /** @description The text */
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
                     *       "fileId": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "title": "Before the first visit",
                     *       "content": "## What to bring\n\n- Your last blood count\n- A list of what you ate yesterday\n",
                     *       "version": 1,
                     *       "saved_at": "2026-11-20T09:12:00.000Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenText"];
                };
            };
        };
    };
    getText: {
        parameters: {
            query: {
                /** @description The coach that the text belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The text: its `fileId`, as that of every file */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text */
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
                     *       "fileId": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "title": "Before the first visit",
                     *       "content": "## What to bring\n\n- Your last blood count\n- A list of what you ate yesterday\n",
                     *       "version": 3,
                     *       "saved_at": "2026-11-20T09:12:00.000Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenText"];
                };
            };
        };
    };
    saveText: {
        parameters: {
            query: {
                /** @description The coach that the text belongs to */
                coachId: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The text: its `fileId`, as that of every file */
                fileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveTextBody"];
            };
        };
        responses: {
            /** @description The text */
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
                     *       "fileId": "6d0f2b1e-3c58-4f7b-9a44-1f5c2e8d7b90",
                     *       "title": "Before the first visit",
                     *       "content": "## What to bring\n\n- Your last blood count\n- A list of what you ate yesterday\n",
                     *       "version": 4,
                     *       "saved_at": "2026-11-20T09:12:00.000Z",
                     *       "saved_by": {
                     *         "user_id": "2f1e0d9c-8b7a-4695-8473-625140312233",
                     *         "name": null,
                     *         "email": "mara@example.com"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WrittenText"];
                };
            };
        };
    };
    readMailedAnswer: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                token: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The question and its answer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "coach": {
                     *         "id": "6f1c2d3e-4b5a-4c6d-8e7f-901234567890",
                     *         "name": "Ada Lovelace",
                     *         "picture_url": null
                     *       },
                     *       "expert": {
                     *         "name": "Mary",
                     *         "picture_url": null
                     *       },
                     *       "question": "How do I start with a new team?",
                     *       "answer": "Listen first. Then ask what should stay.",
                     *       "answered_at": "2026-11-20T17:03:33.140Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MailedAnswer"];
                };
            };
        };
    };
    openConfirmation: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                token: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Location` has the page */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    confirmMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "confirm.0d6a4f6e…"
                 *     }
                 */
                "application/json": {
                    /** @description The part of the link after `#confirm-email=` */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The address is confirmed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Email address confirmed successfully"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    openUnsubscribe: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                token: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description `Location` has the page */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                /** @description The token of the link in the mail */
                token: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No more mails of this kind are sent */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Unsubscribed successfully"
                     *     }
                     */
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The answer. A tool call is answered by a stream of server-sent events, with its progress first if that was requested */
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
            /** @description The notification was accepted */
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
        };
    };
    mcpForApps: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description A publishable key of an account that was issued for AI clients */
                key: string;
            };
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
            /** @description The answer. A tool call is answered by a stream of server-sent events, with its progress first if that was requested */
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
            /** @description The notification was accepted */
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
        };
    };
    describeMcpResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description A publishable key of an account that was issued for AI clients */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "https://ref.supabase.co/functions/v1/mcp/hi_pub_3Vd…",
                     *       "authorization_servers": [
                     *         "https://ref.supabase.co/auth/v1"
                     *       ],
                     *       "bearer_methods_supported": [
                     *         "header"
                     *       ],
                     *       "scopes_supported": [
                     *         "email"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The issuer of the tokens: Supabase Auth */
                        authorization_servers: string[];
                        bearer_methods_supported: "header"[];
                        /** @description The address of the server */
                        resource: string;
                        /** @description Scopes of Supabase Auth, of which it grants at least one */
                        scopes_supported: string[];
                    };
                };
            };
        };
    };
    createChatCompletion: {
        parameters: {
            query?: never;
            header?: {
                /** @description As for `POST /chat` */
                "Idempotency-Key"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-Chat-Id"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-Conversation-Id"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-OpenWebUI-Chat-Id"?: string;
                /** @description Any value says that the request is not a person's but the application's own, such as one for a title */
                "X-OpenWebUI-Task"?: string;
                /** @description The end user */
                "X-OpenWebUI-User-Id"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Sent by the official clients. Above 0, the answer to the same request of the last two minutes is sent */
                "X-Stainless-Retry-Count"?: string;
                /** @description The thread to continue */
                "X-Thread-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChatCompletionBody"];
            };
        };
        responses: {
            /** @description The completion, with `stream` as events */
            200: {
                headers: {
                    /** @description The answer. A task has none */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread of the turn. A task has none */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chatcmpl-b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "object": "chat.completion",
                     *       "created": 1764000000,
                     *       "model": "demo-coach",
                     *       "service_tier": "default",
                     *       "system_fingerprint": null,
                     *       "choices": [
                     *         {
                     *           "index": 0,
                     *           "message": {
                     *             "role": "assistant",
                     *             "content": "Listen first [1].\nThen ask what should stay.",
                     *             "refusal": null,
                     *             "annotations": []
                     *           },
                     *           "logprobs": null,
                     *           "finish_reason": "stop"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "prompt_tokens": 412,
                     *         "prompt_tokens_details": {
                     *           "cached_tokens": 0
                     *         },
                     *         "completion_tokens": 9,
                     *         "completion_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 421
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChatCompletion"];
                    "text/event-stream": string;
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models */
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
                     *       "object": "list",
                     *       "data": [
                     *         {
                     *           "id": "demo-coach",
                     *           "object": "model",
                     *           "created": 1764000000,
                     *           "owned_by": "Example",
                     *           "name": "Mara Lindqvist",
                     *           "description": "Leadership Coach",
                     *           "slug": "mara-lindqvist"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The ID of a coach */
                model: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The model */
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
                     *       "object": "model",
                     *       "created": 1764000000,
                     *       "owned_by": "Example",
                     *       "name": "Mara Lindqvist",
                     *       "description": "Leadership Coach",
                     *       "slug": "mara-lindqvist"
                     *     }
                     */
                    "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    createResponse: {
        parameters: {
            query?: never;
            header?: {
                /** @description As for `POST /chat` */
                "Idempotency-Key"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-Chat-Id"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-Conversation-Id"?: string;
                /** @description The client's own ID of the conversation. If no user is named, it must be a UUID */
                "X-OpenWebUI-Chat-Id"?: string;
                /** @description Any value says that the request is not a person's but the application's own, such as one for a title */
                "X-OpenWebUI-Task"?: string;
                /** @description The end user */
                "X-OpenWebUI-User-Id"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
                /** @description Sent by the official clients. Above 0, the answer to the same request of the last two minutes is sent */
                "X-Stainless-Retry-Count"?: string;
                /** @description The thread to continue */
                "X-Thread-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateResponseBody"];
            };
        };
        responses: {
            /** @description The response, with `stream` as events */
            200: {
                headers: {
                    /** @description The answer. A task has none */
                    "X-Message-Id"?: string;
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The thread of the turn. A task has none */
                    "X-Thread-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "resp_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "object": "response",
                     *       "created_at": 1764000000,
                     *       "completed_at": 1764000002,
                     *       "status": "completed",
                     *       "background": false,
                     *       "error": null,
                     *       "frequency_penalty": 0,
                     *       "incomplete_details": null,
                     *       "instructions": null,
                     *       "max_output_tokens": null,
                     *       "max_tool_calls": null,
                     *       "metadata": {},
                     *       "model": "demo-coach",
                     *       "output": [
                     *         {
                     *           "id": "msg_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *           "type": "message",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Listen first [1].\nThen ask what should stay.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "parallel_tool_calls": true,
                     *       "presence_penalty": 0,
                     *       "previous_response_id": null,
                     *       "prompt_cache_key": null,
                     *       "reasoning": {
                     *         "effort": null,
                     *         "summary": null
                     *       },
                     *       "safety_identifier": null,
                     *       "service_tier": "default",
                     *       "store": true,
                     *       "temperature": null,
                     *       "text": {
                     *         "format": {
                     *           "type": "text"
                     *         }
                     *       },
                     *       "tool_choice": "auto",
                     *       "tools": [],
                     *       "top_logprobs": 0,
                     *       "top_p": null,
                     *       "truncation": "disabled",
                     *       "usage": {
                     *         "input_tokens": 412,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 9,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 421
                     *       },
                     *       "user": null
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                    "text/event-stream": string;
                };
            };
        };
    };
    getResponse: {
        parameters: {
            query?: {
                stream?: "false";
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `id` of a response */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response */
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
                     *       "id": "resp_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "object": "response",
                     *       "created_at": 1764000000,
                     *       "completed_at": 1764000002,
                     *       "status": "completed",
                     *       "background": false,
                     *       "error": null,
                     *       "frequency_penalty": 0,
                     *       "incomplete_details": null,
                     *       "instructions": null,
                     *       "max_output_tokens": null,
                     *       "max_tool_calls": null,
                     *       "metadata": {},
                     *       "model": "demo-coach",
                     *       "output": [
                     *         {
                     *           "id": "msg_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *           "type": "message",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Listen first [1].\nThen ask what should stay.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "parallel_tool_calls": true,
                     *       "presence_penalty": 0,
                     *       "previous_response_id": null,
                     *       "prompt_cache_key": null,
                     *       "reasoning": {
                     *         "effort": null,
                     *         "summary": null
                     *       },
                     *       "safety_identifier": null,
                     *       "service_tier": "default",
                     *       "store": true,
                     *       "temperature": null,
                     *       "text": {
                     *         "format": {
                     *           "type": "text"
                     *         }
                     *       },
                     *       "tool_choice": "auto",
                     *       "tools": [],
                     *       "top_logprobs": 0,
                     *       "top_p": null,
                     *       "truncation": "disabled",
                     *       "usage": {
                     *         "input_tokens": 412,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 9,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 421
                     *       },
                     *       "user": null
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                };
            };
        };
    };
    deleteResponse: {
        parameters: {
            query?: {
                stream?: "false";
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `id` of a response */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted */
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
                     *       "id": "resp_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "object": "response",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @constant */
                        object: "response";
                    };
                };
            };
        };
    };
    cancelResponse: {
        parameters: {
            query?: {
                stream?: "false";
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `id` of a response */
                responseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response */
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
                     *       "id": "resp_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *       "object": "response",
                     *       "created_at": 1764000000,
                     *       "completed_at": 1764000002,
                     *       "status": "completed",
                     *       "background": false,
                     *       "error": null,
                     *       "frequency_penalty": 0,
                     *       "incomplete_details": null,
                     *       "instructions": null,
                     *       "max_output_tokens": null,
                     *       "max_tool_calls": null,
                     *       "metadata": {},
                     *       "model": "demo-coach",
                     *       "output": [
                     *         {
                     *           "id": "msg_b0d1f8de-6f0e-4a57-8f0b-3f2f4d1c9a10",
                     *           "type": "message",
                     *           "status": "completed",
                     *           "role": "assistant",
                     *           "content": [
                     *             {
                     *               "type": "output_text",
                     *               "text": "Listen first [1].\nThen ask what should stay.",
                     *               "annotations": [],
                     *               "logprobs": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "parallel_tool_calls": true,
                     *       "presence_penalty": 0,
                     *       "previous_response_id": null,
                     *       "prompt_cache_key": null,
                     *       "reasoning": {
                     *         "effort": null,
                     *         "summary": null
                     *       },
                     *       "safety_identifier": null,
                     *       "service_tier": "default",
                     *       "store": true,
                     *       "temperature": null,
                     *       "text": {
                     *         "format": {
                     *           "type": "text"
                     *         }
                     *       },
                     *       "tool_choice": "auto",
                     *       "tools": [],
                     *       "top_logprobs": 0,
                     *       "top_p": null,
                     *       "truncation": "disabled",
                     *       "usage": {
                     *         "input_tokens": 412,
                     *         "input_tokens_details": {
                     *           "cached_tokens": 0,
                     *           "cache_write_tokens": 0
                     *         },
                     *         "output_tokens": 9,
                     *         "output_tokens_details": {
                     *           "reasoning_tokens": 0
                     *         },
                     *         "total_tokens": 421
                     *       },
                     *       "user": null
                     *     }
                     */
                    "application/json": components["schemas"]["Response"];
                };
            };
        };
    };
    getThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
        };
    };
    deleteThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The thread was deleted */
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
        };
    };
    updateThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The changed thread */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
        };
    };
    askExpert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: a repetition gets the same entry */
                "Idempotency-Key"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread; or a random UUID made by the client, with `question` and `coachId`, for a new thread */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskExpertBody"];
            };
        };
        responses: {
            /** @description The request */
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
                     *       "id": "5d1f0a9c-2b7e-4f60-8c3d-9a0b1c2d3e4f",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
                     *       "question": "How do I start with a new team?",
                     *       "status": "seen",
                     *       "asked_at": "2026-11-20T16:03:33.140Z",
                     *       "seen_at": "2026-11-20T16:20:10.000Z",
                     *       "answered_at": null,
                     *       "email": "confirmed"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertRequest"];
                };
            };
            /** @description The request, which is new */
            201: {
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
                     *       "id": "5d1f0a9c-2b7e-4f60-8c3d-9a0b1c2d3e4f",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
                     *       "question": "How do I start with a new team?",
                     *       "status": "seen",
                     *       "asked_at": "2026-11-20T16:03:33.140Z",
                     *       "seen_at": "2026-11-20T16:20:10.000Z",
                     *       "answered_at": null,
                     *       "email": "confirmed"
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertRequest"];
                };
            };
        };
    };
    draftReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
                "application/json": components["schemas"]["DraftReplyBody"];
            };
        };
        responses: {
            /** @description The draft and its sources */
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
                     *       "content": "I am here now. Tell me about the first week.",
                     *       "sources": [
                     *         {
                     *           "kind": "passage",
                     *           "passageId": "9f2c1d6be1f04a0c8a1b7e3d5c2f4a60",
                     *           "fileId": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "file_id": "2f1d7c9a-1b7e-4f0e-8a35-9c1f6f0d2b44",
                     *           "filename": "First ninety days.md",
                     *           "source_url": null,
                     *           "position": 3,
                     *           "page": null,
                     *           "heading": "The first week",
                     *           "quote": "Listen before you change anything.",
                     *           "score": 7.31
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DraftedReply"];
                };
            };
        };
    };
    watchThread: {
        parameters: {
            query?: {
                /** @description The same, for pages, which cannot send that header to another origin. The header takes precedence */
                after?: string;
            };
            header?: {
                /** @description The `id:` of the last event received, unchanged */
                "Last-Event-ID"?: string;
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Additional fields of each message, comma separated: `status` (with the error of failed answers; answers that have no text, or none yet, are then listed too), `sources`, `feedback`, `author`, and for the expert behind the coach `basis` */
                include?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
                /** @description `asc`, the default: oldest first; `desc`: newest first */
                order?: "asc" | "desc";
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The messages of the user and the coach */
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
                     *           "content": "Listen first [1].\nThen ask what should stay.",
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
        };
    };
    sayAsExpert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
        };
    };
    rateAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
        };
    };
    reviseAnswer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The wrong answer: `id` in a list of messages */
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
        };
    };
    markThreadRead: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The thread, with nothing unread */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
        };
    };
    releaseThread: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The changed thread */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests; the list may be empty */
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
                     *           "id": "5d1f0a9c-2b7e-4f60-8c3d-9a0b1c2d3e4f",
                     *           "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *           "message_id": "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
                     *           "question": "How do I start with a new team?",
                     *           "status": "seen",
                     *           "asked_at": "2026-11-20T16:03:33.140Z",
                     *           "seen_at": "2026-11-20T16:20:10.000Z",
                     *           "answered_at": null,
                     *           "email": "confirmed"
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["RequestList"];
                };
            };
        };
    };
    withdrawRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description `id` in the list of requests */
                requestId: string;
                /** @description The thread */
                threadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
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
                     *       "id": "5d1f0a9c-2b7e-4f60-8c3d-9a0b1c2d3e4f",
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f",
                     *       "message_id": "8a4c2b1e-7c40-4a39-9f0c-52a0c7de1f03",
                     *       "question": "How do I start with a new team?",
                     *       "status": "withdrawn",
                     *       "asked_at": "2026-11-20T16:03:33.140Z",
                     *       "seen_at": "2026-11-20T16:20:10.000Z",
                     *       "answered_at": null,
                     *       "email": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExpertRequest"];
                };
            };
        };
    };
    takeOver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
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
            /** @description The changed thread */
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
                     *       "is_archived": false,
                     *       "request_status": null,
                     *       "unread": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ThreadWithState"];
                };
            };
        };
    };
    tellTyping: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The thread in which it is typed */
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
                     *       "thread_id": "5c8f9a52-5d0c-4f7e-9c55-0d3c8a4b1e6f"
                     *     }
                     */
                    "application/json": components["schemas"]["Typing"];
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The signed-in user: the ID in the access token, or `me` */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Nothing is stored about the user any more */
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
                     *       "message": "User deleted successfully",
                     *       "userId": "user-1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        message: "User deleted successfully";
                        userId: string;
                    };
                };
            };
        };
    };
    getBudget: {
        parameters: {
            query?: {
                /** @description Leaves out the budgets of other coaches; an empty value is ignored */
                coachId?: string;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The user: any ID that is not blank, as sent with chats; `me` with an access token */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The budgets; the list may be empty */
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
                     *           "scope": "account",
                     *           "is_exhausted": false,
                     *           "resets_at": "2026-12-01T00:00:00.000Z"
                     *         },
                     *         {
                     *           "scope": "coach",
                     *           "limit": 20000,
                     *           "used": 17210,
                     *           "reserved": 0,
                     *           "unit": "tokens",
                     *           "resets_at": "2026-11-21T00:00:00.000Z",
                     *           "is_exhausted": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetList"];
                };
            };
        };
    };
    listOwnCoaches: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The expert: the ID in the access token, or `me`; for a server, any user */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coaches; the list may be empty */
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
                     *           "sources_are_open": false,
                     *           "slug": "mara-lindqvist",
                     *           "accent_color": "#0a7d5c",
                     *           "launcher_text": null,
                     *           "picture_url": "https://<ref>.supabase.co/storage/v1/object/public/pictures/<account>/<coach>/<digest>.jpg",
                     *           "is_ai": true,
                     *           "retention_days": 90,
                     *           "role": "owner",
                     *           "is_active": true
                     *         }
                     *       ],
                     *       "count": 1
                     *     }
                     */
                    "application/json": components["schemas"]["OwnCoachList"];
                };
            };
        };
    };
    getUserMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The signed-in user: the ID of the access token, or `me` */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address, or null */
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
                     *       "email": "grace@example.com",
                     *       "is_confirmed": true,
                     *       "is_refused": false,
                     *       "is_available": true,
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["UserMail"];
                };
            };
        };
    };
    saveUserMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The signed-in user: the ID of the access token, or `me` */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveUserMailBody"];
            };
        };
        responses: {
            /** @description The address */
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
                     *       "email": "grace@example.com",
                     *       "is_confirmed": false,
                     *       "is_refused": false,
                     *       "is_available": true,
                     *       "language": "en"
                     *     }
                     */
                    "application/json": components["schemas"]["UserMail"];
                };
            };
        };
    };
    deleteUserMail: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The signed-in user: the ID of the access token, or `me` */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No address is stored */
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
                     *       "message": "Email address deleted successfully",
                     *       "userId": "user-1"
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedUserMail"];
                };
            };
        };
    };
    listThreads: {
        parameters: {
            query?: {
                /** @description Only archived threads, or only those that are not archived; by default, both */
                archived?: "true" | "false";
                /** @description Only threads with this coach; an empty value is ignored */
                coachId?: string;
                /** @description `next_cursor` of the page before; alone, asks for pages of 100 */
                cursor?: string;
                /** @description `state`: with `active_message_id`, `handled_by`, `taken_over_until`, `is_pinned`, `is_archived` and `unread` of each thread. `coaches`: with all coaches that the caller may talk to, as `listCoaches` has them, and `unread_by_coach`; `coach`: the same, of the coaches only the one in `coachId`. Not with `search` */
                include?: string;
                /** @description Returns a page of at most this many entries instead of all */
                limit?: number;
                /** @description Words to look for in titles and messages. Any of them may match; the best match comes first. The last word may be incomplete. An empty search is ignored */
                search?: string;
                /** @description `true`: instead of these, the turns that stand alone. Clients of the function `openai` that keep their conversations themselves make them; they are deleted after 30 days */
                standalone?: "true" | "false";
            };
            header?: {
                /** @description Your own ID for the request: at most 255 letters, digits, `-`, `_` and `=`, with at most 32 letters and digits in a row. An ID that looks like a key is replaced */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                /** @description The user whose threads to list: any ID that is not blank, as sent with chats; `me` with an access token */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The threads; the list may be empty */
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
        };
    };
}
