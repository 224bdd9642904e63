// Prints events of a project's monitors, and resumes where it stopped after a disconnect.
// KANMON_API=http://127.0.0.1:3000/api/v1 KEY=km_… node stream.mjs
let last = process.env.LAST_EVENT_ID // store it to resume after a restart

async function* events() {
  const response = await fetch(`${process.env.KANMON_API}/events?types=kanmon.monitor.*`, {
    headers: { "x-api-key": process.env.KEY, ...(last && { "last-event-id": last }) }
  })
  if (!response.ok) throw new Error(await response.text())
  let text = ""
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split("\n\n")
    text = blocks.pop()
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1]
      if (field("data")) yield JSON.parse(field("data"))
      last = field("id") ?? last
    }
  }
}

for (;;) {
  try {
    for await (const event of events()) console.log(event.type, event.data.name)
  } catch (error) {
    console.error(error.message)
  }
  await new Promise((again) => setTimeout(again, 3000))
}
