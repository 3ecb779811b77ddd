const codes: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Google's word for a status. Source: https://ai.google.dev/gemini-api/docs/troubleshooting */
export function googleCode(status: number): string {
  return codes[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
}
