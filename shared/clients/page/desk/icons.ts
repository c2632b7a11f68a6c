import { drawIcon } from "../ui/draw_icon.ts";
import { icons as shared } from "../ui/icons.ts";

const { check, copy, more, next, pencil, person, plus } = shared;

/** The icons of the desk: its own, and those that it shares with the chat. */
export const icons = {
  ...{ check, copy, more, next, pencil, person, plus },
  ai: shared.sparkle,
  back: shared.previous,
  down: shared.thumbDown,
  moveDown: shared.down,
  moveUp: shared.send,
  remove: shared.close,
  team: shared.people,
  up: shared.thumbUp,
  overview: drawIcon("M4 11l8-7 8 7 M6 9.500V20h12V9.500 M10 20v-6h4v6"),
  persona: drawIcon(
    "M5 4h14v16H5z M12 7.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z M8 17c.5-2 2-3 4-3s3.500 1 4 3",
  ),
  questions: drawIcon(
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z M9.2 9.3a2.9 2.9 0 1 1 4 2.7c-.9.4-1.2 1-1.2 1.8 M12 17v.01",
  ),
  conversations: drawIcon("M4 5h12v9H9l-4 3v-3H4z M19 9h1v9h-1v3l-4-3h-4"),
  answers: drawIcon("M14 3l7 7-4 1-4 4-.5 4.5L4.5 11.5 9 11l4-4z M8 16l-4.5 4.5"),
  files: drawIcon("M7 3h7l5 5v13H7z M14 3v5h5 M10 13h6 M10 17h6"),
  list: drawIcon("M9 6h11 M9 12h11 M9 18h11 M4.5 6h.01 M4.5 12h.01 M4.5 18h.01", 2),
  numbers: drawIcon("M10 6h10 M10 12h10 M10 18h10 M4 4.5l1.5-.5v5 M4 15h2.500l-2.500 4h2.500", 1.6),
  link: drawIcon(
    "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1 M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  ),
  web: drawIcon(
    "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z M3.5 9.5h17 M3.5 14.5h17 M12 3c5 5.5 5 12.5 0 18c-5-5.5-5-12.5 0-18",
  ),
  share: drawIcon("M12 15V4 M8 7.500l4-4 4 4 M6 11H5v9h14v-9h-1"),
  try: drawIcon("M9 3h6 M10 3v6l-5 9.5A1.7 1.7 0 0 0 6.5 21h11a1.7 1.7 0 0 0 1.5-2.5L14 9V3 M8 15h8"),
  tests: drawIcon("M3.5 6l2 2 3.5-4 M3.5 16l2 2 3.5-4 M13 6.5h8 M13 16.5h8"),
  usage: drawIcon("M4 4v16h16 M8 16v-4 M12 16V8 M16 16v-6 M20 16V6"),
  upload: drawIcon("M12 16V4 M7 9l5-5 5 5 M4 16v4h16v-4"),
};
