/** Changes of several records of a project that are made together, for configuration files. */
export { layer as layerApi } from "./ChangesHandlers.ts"
