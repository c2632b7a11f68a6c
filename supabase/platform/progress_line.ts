/** The line that says what a command is doing. */
export type ProgressLine = {
  /** Says what is done from now on. At a terminal, the line also tells for how long, every second. */
  begin(step: string): void;
  /** Adds how far it is, at a terminal only: elsewhere, each step has one line that stays as it is. */
  tell(howFar: string): void;
  /** Ends the line, so that another one can be printed. Does nothing if there is none. */
  end(): void;
};

/** The parameters of a line of progress. */
type ProgressOptions = {
  write: (text: string) => void;
  /** The width of the terminal, in characters; null if the output is none. */
  columns: () => number | null;
  now?: () => number;
  /** Calls a function every second, until the returned one is called. */
  everySecond?: (act: () => void) => () => void;
};

/** Back to the beginning of the line, which is cleared. */
const anew = "\r\x1b[K";

/** Creates a line of progress that is not begun yet. */
export function createProgressLine(
  { write, columns, now = () => performance.now(), everySecond = tick }: ProgressOptions,
): ProgressLine {
  let end = () => {};
  let tell = (_howFar: string) => {};
  return {
    begin(step) {
      end();
      const line = `… ${step}`;
      if (columns() === null) return write(`${line}\n`);
      const began = now();
      let added = "";
      const draw = () => {
        const seconds = Math.floor((now() - began) / 1_000);
        const about = [added, seconds > 0 ? `${seconds} s` : ""].filter(Boolean).join(", ");
        const state = about && ` – ${about}`;
        // A line that is wrapped could not be drawn anew.
        const room = (columns() ?? Infinity) - 1 - state.length;
        write(`${anew}${line.length > room ? `${line.slice(0, Math.max(room - 1, 1)).trimEnd()}…` : line}${state}`);
      };
      tell = (howFar) => {
        added = howFar;
        draw();
      };
      const stop = everySecond(draw);
      end = () => {
        stop();
        [end, tell] = [() => {}, () => {}];
        write(`${anew}${line}\n`);
      };
      draw();
    },
    tell: (howFar) => tell(howFar),
    end: () => end(),
  };
}

function tick(act: () => void): () => void {
  const timer = setInterval(act, 1_000);
  Deno.unrefTimer(timer);
  return () => clearInterval(timer);
}
