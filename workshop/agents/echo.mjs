// The echo in Node: one JSON object a line, in both directions. See docs/workshop-protocol.md.
import { createInterface } from "node:readline";

let count = 0;

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

function answered({ type, id, text }) {
  if (type === "user_input") {
    count += 1;
    return { type: "agent_response", id, text: `${count}: ${text}` };
  }
  const message = `This agent knows no request '${type}'. It knows: user_input.`;
  return { type: "agent_failed", id, code: "unknown_type", message };
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch (error) {
    process.stderr.write(`dropped a line that is no message: ${error.message}\n`);
    return;
  }
  if (message.type === "shutdown") process.exit(0);
  send(answered(message));
});
lines.on("close", () => process.exit(0));
