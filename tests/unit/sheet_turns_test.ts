import type { AccountDatabase } from "../../shared/infra/db/account_database.ts";
import { ApiError } from "../../shared/infra/errors.ts";
import { createSemaphore } from "../../shared/libs/base/semaphore.ts";
import { type DatedAnswer, readPinnedAnswers } from "../../shared/features/pinned_answers/export_pinned_answers.ts";
import { takeSheetTurn } from "../../shared/features/pinned_answers/take_sheet_turn.ts";
import { assertEquals, assertRejects } from "../support/assert.ts";

/** A worker in which accounts work on sheets until they are told to end. */
function createWorker() {
  const services = { sheets: { atWork: createSemaphore(), present: createSemaphore() } };
  const begun: string[] = [];
  const work = (accountId: string) => {
    const end = Promise.withResolvers<void>();
    const start = Promise.withResolvers<void>();
    const admission = { require: () => Promise.resolve({ accountId }) } as Parameters<
      typeof takeSheetTurn
    >[0]["admission"];
    const result = takeSheetTurn({ services, admission }, "imports", async () => {
      begun.push(accountId);
      start.resolve();
      await end.promise;
    });
    return { begins: start.promise, end: end.resolve, result };
  };
  return { work, begun };
}

Deno.test("sheets take turns", async (t) => {
  await t.step("of an account, one is at work, three wait, and further ones are refused with Retry-After", async () => {
    const { work, begun } = createWorker();
    const works = Array.from({ length: 10 }, () => work("a"));
    const refused = await Promise.all(works.slice(4).map(({ result }) => assertRejects(() => result, ApiError)));
    for (const { status, options } of refused) {
      assertEquals([status, options.headers?.["Retry-After"] !== undefined], [503, true]);
    }
    assertEquals(begun, ["a"]);
    // Those that wait begin in any order.
    for (const one of works.slice(0, 4)) one.end();
    await Promise.all(works.slice(0, 4).map(({ result }) => result));
    assertEquals(begun.length, 4);
  });

  await t.step("another account does not wait for it, and a fourth account waits for the others", async () => {
    const { work, begun } = createWorker();
    const [first, second, third] = ["a", "b", "c"].map(work);
    await Promise.all([first, second, third].map((one) => one!.begins));
    const fourth = work("d");
    assertEquals(begun, ["a", "b", "c"]);
    second!.end();
    await fourth.begins;
    for (const one of [first, third, fourth]) one!.end();
    await Promise.all([first, second, third, fourth].map((one) => one!.result));
  });

  await t.step("a failure leaves no place occupied", async () => {
    const services = { sheets: { atWork: createSemaphore(), present: createSemaphore() } };
    const admission = { require: () => Promise.resolve({ accountId: "a" }) } as Parameters<
      typeof takeSheetTurn
    >[0]["admission"];
    for (let time = 0; time < 6; time++) {
      await assertRejects(
        () => takeSheetTurn({ services, admission }, "exports", () => Promise.reject(new Error("No"))),
        Error,
        "No",
      );
    }
  });
});

/** Postgres with some answers, of which others change one after each page. */
function createDatabase(count: number, change: (answers: DatedAnswer[], page: number) => void) {
  const made = (place: number): DatedAnswer => ({
    ...{ id: String(place), question: `Q ${place}`, variants: [], answer: "A", is_active: true },
    created_at: "2026-01-01",
    updated_at: String(1_000 + place),
  });
  const answers = Array.from({ length: count }, (_, place) => made(place));
  const sizes: number[] = [];
  const call = (_: string, args: Record<string, unknown>) => {
    const sorted = answers.toSorted((one, other) => Number(other.updated_at) - Number(one.updated_at));
    const rest = sorted.filter(({ updated_at }) =>
      args.after_at === null || Number(updated_at) < Number(args.after_at)
    );
    const data = rest.slice(0, args.page_size as number).map((answer) => ({ ...answer }));
    sizes.push(data.length);
    change(answers, sizes.length);
    return Promise.resolve({ data, next_cursor: rest.length > data.length ? `${data.at(-1)!.updated_at}_x` : null });
  };
  return { database: { call } as unknown as AccountDatabase, answers, sizes };
}

Deno.test("all pinned answers are read in parts", async (t) => {
  const access = { coachId: "c", userId: null };
  await t.step("each once, in the order of their changes", async () => {
    const { database, answers, sizes } = createDatabase(450, () => {});
    const read = await readPinnedAnswers(database, access);
    assertEquals(read.map(({ id }) => id), answers.map(({ id }) => id).toReversed());
    assertEquals(sizes, [200, 200, 50, 200]);
  });

  await t.step("what is changed or added meanwhile is there once, as it is then", async () => {
    const { database, answers } = createDatabase(450, (answers, page) => {
      if (page === 1) Object.assign(answers[3]!, { answer: "Changed", updated_at: "5000" });
      if (page === 2) answers.push({ ...answers[0]!, id: "new", updated_at: "6000" });
    });
    const read = await readPinnedAnswers(database, access);
    assertEquals([read.length, new Set(read.map(({ id }) => id)).size], [451, 451]);
    assertEquals(read.slice(0, 2).map(({ id, answer }) => [id, answer]), [["new", "A"], ["3", "Changed"]]);
    assertEquals(answers.length, 451);
  });

  await t.step("a few in one part", async () => {
    const { database, sizes } = createDatabase(200, () => {});
    assertEquals((await readPinnedAnswers(database, access)).length, 200);
    assertEquals(sizes, [200]);
  });
});
