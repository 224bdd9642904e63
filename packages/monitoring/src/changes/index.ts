/** Changes of several records of a project that are made together, for configuration files. */
export { addresses, bodyLimit, layer as layerApi, requestTimeout } from "./ChangesHandlers.ts"
