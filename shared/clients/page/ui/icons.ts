import { drawIcon } from "./draw_icon.ts";

/** The icons of the chat. */
export const icons = {
  archive: drawIcon("M4 5h16v4H4z M6 9v10h12V9 M10 13h4"),
  check: drawIcon("M5 12.500l4.500 4.500L19 7.500"),
  close: drawIcon("M6 6l12 12 M18 6L6 18"),
  copy: drawIcon("M9 9h10v11H9z M15 9V4H5v11h4"),
  down: drawIcon("M12 5v14 M6 13l6 6 6-6"),
  file: drawIcon("M7 3h7l4 4v14H7z M14 3v4h4 M10 12h5 M10 16h5"),
  leave: drawIcon("M10 4H5v16h5 M14 8l4 4-4 4 M18 12H9", 1.75, "pointing"),
  menu: drawIcon("M4 7h16 M4 12h16 M4 17h16"),
  more: drawIcon("M5 12h.01 M12 12h.01 M19 12h.01", 3),
  pencil: drawIcon("M4 20l1-4.500L16.500 4l3.500 3.500L8.500 19z M14 6.500l3.500 3.500"),
  people: drawIcon(
    "M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7z M3 19c.500-3 3-5 6-5s5.500 2 6 5 M16 5a3 3 0 0 1 0 6 M18 14c2 1 3 3 3 5",
  ),
  next: drawIcon("M9 5l7 7-7 7", 1.75, "pointing"),
  person: drawIcon(
    "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M4.500 20.500c.8-3.800 3.800-5.500 7.500-5.500s6.700 1.700 7.500 5.500",
  ),
  pin: drawIcon("M9 4h6l-.8 6 3.300 3.500v1.500h-11v-1.500L9.800 10z M12 15v6"),
  plus: drawIcon("M12 5v14 M5 12h14"),
  previous: drawIcon("M15 5l-7 7 7 7", 1.75, "pointing"),
  retry: drawIcon("M19.500 12a7.500 7.500 0 1 1-2.300-5.400 M19.500 3.500v4h-4"),
  search: drawIcon("M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13z M15.500 15.500L20 20"),
  send: drawIcon("M12 19V5 M6 11l6-6 6 6"),
  sparkle: drawIcon(
    "M12 4l1.900 5.100L19 11l-5.100 1.900L12 18l-1.900-5.100L5 11l5.100-1.900z M19 16.500v4 M17 18.500h4",
  ),
  stop: drawIcon("M8.500 8.500h7v7h-7z", 5),
  thumbDown: drawIcon(
    "M7 14V4H4v10z M7 13.500l4 6.500c1.500 0 2.300-1 2-2.500L12.500 14H18c1.300 0 2.200-1.200 1.900-2.400l-1.500-6A2 2 0 0 0 16.500 4H7",
  ),
  thumbUp: drawIcon(
    "M7 10v10H4V10z M7 10.500L11 4c1.500 0 2.300 1 2 2.500l-.5 3.500H18c1.300 0 2.200 1.200 1.900 2.400l-1.500 6a2 2 0 0 1-1.900 1.600H7",
  ),
  trash: drawIcon("M5 7h14 M9 7V4h6v3 M7 7l1 13h8l1-13 M10.500 11v5.500 M13.500 11v5.500"),
  waiting: drawIcon("M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17z M12 7.500V12l3 2"),
};
