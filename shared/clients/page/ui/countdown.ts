import type { ReactiveControllerHost } from "lit";

/** Returns the seconds until a time, at least 0. To be called while rendering. */
export type Countdown = (until: number) => number;

/** Renders an element again every second while it shows a countdown. */
export function countdown(host: ReactiveControllerHost): Countdown {
  let timer: ReturnType<typeof setTimeout> | undefined;
  host.addController({ hostDisconnected: () => clearTimeout(timer) });
  return (until) => {
    const left = until - Date.now();
    clearTimeout(timer);
    if (left <= 0) return 0;
    timer = setTimeout(() => host.requestUpdate(), left % 1_000 + 1);
    return Math.ceil(left / 1_000);
  };
}
