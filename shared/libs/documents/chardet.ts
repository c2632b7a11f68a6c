// A module of its own: of a CommonJS package that is imported later, a bundle keeps only the default.
export { analyse } from "chardet";
