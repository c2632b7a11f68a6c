import type { Answer, Ending } from "../../shared/clients/client/answer.ts";
import { ServiceError } from "../../shared/clients/client/service_error.ts";
import { LiveAnswers } from "../../shared/clients/page/chat/live_answers.ts";
import type { StoredMessage } from "../../shared/clients/page/chat/messages.ts";
import { createRefresh } from "../../shared/clients/page/chat/thread_watch.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

const ending = { status: "complete", author: "ai", sources: [] } as unknown as Ending;
const stored = (id: string, status: StoredMessage["status"]) => ({ id, status }) as StoredMessage;

/** An answer that is written by hand. */
function written() {
  let next = Promise.withResolvers<string | Error | null>();
  const pieces = async function* () {
    while (true) {
      const piece = await next.promise;
      next = Promise.withResolvers();
      if (piece instanceof Error) throw piece;
      if (piece === null) return;
      yield piece;
    }
  };
  const answer = { threadId: "t", messageId: "a", ending, [Symbol.asyncIterator]: pieces } as Answer;
  const write = async (piece: string | Error | null) => {
    next.resolve(piece);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { begin: () => Promise.resolve(answer), write };
}

Deno.test("an answer is shown while it is written, and until the stored message has its end", async () => {
  let changes = 0;
  const answers = new LiveAnswers(() => changes++);
  const { begin, write } = written();
  const reading = answers.read("a", begin);
  assertEquals(answers.all.get("a"), { kind: "reading", text: "" });
  await write("One");
  await write(" two");
  assertEquals([answers.all.get("a"), changes], [{ kind: "reading", text: "One two" }, 3]);
  assertEquals([answers.isReading, answers.unended], [true, ["a"]]);
  answers.settle(stored("a", "streaming"));
  assertEquals(answers.isReading, true);
  await write(null);
  await reading;
  const ended = {
    kind: "ended" as const,
    text: "One two",
    status: "complete" as const,
    author: "ai" as const,
    sources: [],
  };
  assertEquals(answers.all.get("a"), { ...ended, isPassedOn: undefined });
  assertEquals([answers.isReading, answers.unended], [false, []]);
  answers.settle(stored("a", "waiting"));
  assertEquals(answers.all.size, 1);
  answers.settle(stored("a", "complete"));
  assertEquals(answers.all.size, 0);
});

Deno.test("of two readings of one answer, the later one counts", async () => {
  const answers = new LiveAnswers(() => {});
  const [first, second] = [written(), written()];
  const readings = [answers.read("a", first.begin), answers.read("a", second.begin)];
  await second.write("All");
  await first.write("Old");
  assertEquals(answers.all.get("a"), { kind: "reading", text: "All" });
  await second.write(null);
  answers.settle(stored("a", "complete"));
  await first.write(" and late");
  await first.write(null);
  await Promise.all(readings);
  assertEquals(answers.all.size, 0);
});

Deno.test("a failed answer has ended, and one without a connection is broken", async () => {
  const answers = new LiveAnswers(() => {});
  const [failed, broken] = [written(), written()];
  const failing = answers.read("failed", failed.begin);
  const body = { error: "It failed" } as ServiceError["body"];
  await failed.write(new ServiceError({ status: 500, code: null, body, requestId: null, messageId: "failed" }));
  await failing;
  assertEquals(answers.all.get("failed")?.kind, "ended");

  const breaking = assertRejects(() => answers.read("broken", broken.begin), TypeError);
  await broken.write("So far");
  await broken.write(new TypeError("No network"));
  await breaking;
  assertEquals(answers.all.get("broken"), { kind: "broken", text: "So far" });
  assertEquals([answers.isReading, answers.unended], [false, ["broken"]]);
  answers.settle(stored("broken", "streaming"));
  assertEquals(answers.all.has("broken"), false);
});

Deno.test("a refresh that is asked for during another one follows it, once", async () => {
  let readings = 0;
  let { promise, resolve } = Promise.withResolvers<void>();
  const refresh = createRefresh(async () => {
    readings++;
    await promise;
  });
  const all = [refresh.now(), refresh.now(), refresh.now()];
  assertEquals(readings, 1);
  resolve();
  await Promise.all(all);
  assertEquals(readings, 2);
  ({ promise, resolve } = Promise.withResolvers<void>());
  const again = refresh.now();
  assertEquals(readings, 3);
  resolve();
  await again;
});
