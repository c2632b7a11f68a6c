import type { Client } from "../../client/client.ts";
import { fill, formatNumber } from "../ui/fill.ts";
import type { Texts } from "./texts.ts";

/** A share that runs low. */
export type LowShare = {
  /** The part that is used, in percent. */
  percent: number;
  /** The time at which it is renewed, in milliseconds since 1970; null: never. */
  until: number | null;
};

/** From this percentage on, the user is told how much is used. */
const lowPercent = 80;

/** As long as less than half is used, it is read after every fifth answer. */
const pause = 5;

/** Knows whether the user's share of a budget runs low. Read after answers; never again if nothing limits the user. */
export class BudgetWatch {
  low: LowShare | null = null;

  #options: { client: Client; coachId: string; onChange: () => void };
  #isOver = false;
  /** After so many answers, it is read again. */
  #wait = 0;

  constructor(options: { client: Client; coachId: string; onChange: () => void }) {
    this.#options = options;
  }

  /** Reads what the user has used. Never rejects: the chat works without it. */
  async read(): Promise<void> {
    if (this.#isOver || --this.#wait > 0) return;
    const { client, coachId, onChange } = this.#options;
    try {
      const { data } = await client.getBudget("me", { coachId });
      this.#isOver = data.length === 0;
      const shares = data.flatMap(({ limit, used, resets_at }) =>
        limit === undefined || used === undefined
          ? []
          : [{ percent: Math.floor(100 * used / limit), until: resets_at === null ? null : Date.parse(resets_at) }]
      );
      const fullest = shares.toSorted((one, other) => other.percent - one.percent)[0];
      this.#wait = fullest && fullest.percent >= 50 ? 0 : pause;
      this.low = fullest && fullest.percent >= lowPercent ? fullest : null;
      onChange();
    } catch {
      // The next answer reads it again.
    }
  }
}

/** Says how much of a share is used. */
export function describeLow({ percent, until }: LowShare, texts: Texts): string {
  const shown = formatNumber(Math.min(percent, 100), texts.locale);
  if (until === null) return fill(texts.budgetLow, { percent: shown });
  return fill(texts.budgetLowUntil, { percent: shown, time: formatMoment(until, texts.locale) });
}

/** The day and the hour of a time within the next weeks. */
export function formatMoment(time: number, locale: string): string {
  return new Date(time).toLocaleString(locale, {
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
}
