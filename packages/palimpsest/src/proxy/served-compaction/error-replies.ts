/** Refuses a request in the shape of Anthropic Messages. */
export function anthropicError(message: string): Response {
  return Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 });
}

/** Refuses a request in the shape of OpenAI. */
export function openaiError(param: string, message: string): Response {
  return Response.json({ error: { message, type: 'invalid_request_error', param, code: null } }, { status: 400 });
}
