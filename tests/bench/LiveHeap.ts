/**
 * What V8 has in use after a full collection, in a process that was started with `--inspect`. The memory of a process also
 * grows with garbage, and with room for it; what grows here is a leak.
 */

interface Usage {
  readonly usedSize: number
  readonly backingStorageSize: number
}

/** In bytes, array buffers included. `port` is the inspector's. */
export const measure = async (port: number): Promise<number> => {
  const [inspected] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as ReadonlyArray<{
    readonly webSocketDebuggerUrl: string
  }>
  const socket = new WebSocket(inspected!.webSocketDebuggerUrl)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error(`The inspector on port ${port} cannot be reached`))
    })
    const call = (method: string): Promise<unknown> =>
      new Promise((resolve) => {
        socket.onmessage = ({ data }) => resolve((JSON.parse(String(data)) as { readonly result: unknown }).result)
        socket.send(JSON.stringify({ id: 1, method }))
      })
    // What finalizers let go of is collected by the second.
    await call("HeapProfiler.collectGarbage")
    await call("HeapProfiler.collectGarbage")
    const { backingStorageSize, usedSize } = (await call("Runtime.getHeapUsage")) as Usage
    return usedSize + backingStorageSize
  } finally {
    socket.close()
  }
}
