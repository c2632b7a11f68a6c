// A module of its own, so that it is loaded with the first sheet.
export { format, isDateFormat } from "numfmt";
