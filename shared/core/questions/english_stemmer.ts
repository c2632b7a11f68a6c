// A module of its own: of CommonJS that is imported later, a bundle only keeps the default export.
export { stem } from "porter2";
