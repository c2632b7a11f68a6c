import { errors } from "../../errors.ts";
import type { Handler } from "../../http/app_env.ts";
import { parseInput } from "../../http/parse_input.ts";
import { readJsonBody } from "../../http/read_json_body.ts";
import { requirePathParam } from "../../http/require_path_param.ts";
import { IdempotencyKey } from "../../wire/idempotency_key.ts";
import { nameRun } from "../../answers/answer.ts";
import { answerMessage } from "../answer_message.ts";
import { followAnswer } from "../follow_answer.ts";
import { readAnswer } from "../read_answer.ts";
import { describeAnswer } from "./describe_answer.ts";
import { chooseForm, nameAnswer, replyWithAnswer } from "./reply_with_answer.ts";
import { ChatBody, LastEventId } from "../schemas.ts";
import { stopAnswer } from "../stop_answer.ts";

/** `POST /chat` */
export const postChat: Handler = async (c) => {
  const { ctx } = c.var;
  const idempotencyKey = parseInput(IdempotencyKey, c.req.header("Idempotency-Key"));
  const body = parseInput(ChatBody, await readJsonBody(c.req.raw, 256 * 1024));
  const form = chooseForm(c.req.header("Accept"));
  const { head, produce } = await answerMessage(ctx, body, idempotencyKey);
  return replyWithAnswer(c, head, { form, produce });
};

/** `POST /chat/{messageId}/stop` */
export const postStop: Handler = async (c) => {
  const answer = await stopAnswer(c.var.ctx, requirePathParam(c, "messageId"));
  return c.json(describeAnswer(answer, answer.content, answer));
};

/** `GET /chat/{messageId}/stream` */
export const getStream: Handler = async (c) => {
  const { ctx } = c.var;
  const form = chooseForm(c.req.header("Accept"));
  const lastEventId = parseInput(LastEventId, c.req.header("Last-Event-ID"));
  // One object is the whole answer, whatever a stream has brought of it.
  const { after = 0, run } = form === "object" ? {} : lastEventId ?? {};
  const answer = await readAnswer(ctx, { messageId: requirePathParam(c, "messageId"), after });
  // The run that this reader followed was restarted.
  if (run !== undefined && run !== nameRun(answer)) throw errors.answerFailed();
  if (form === "text" && answer.content === "" && (answer.status === "complete" || answer.status === "stopped")) {
    // How a server tells an EventSource, which takes every end for an accident, not to come back.
    nameAnswer(c, answer);
    return c.body(null, 204);
  }
  return replyWithAnswer(c, answer, { form, after, produce: (sink) => followAnswer(ctx, { answer, after }, sink) });
};
