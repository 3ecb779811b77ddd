const codes: Readonly<Record<number, string>> = {
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

/** Amazon's word for a status. Source: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export function amazonCode(status: number): string {
  return codes[status] ?? (status < 500 ? 'ValidationException' : 'InternalServerException');
}
