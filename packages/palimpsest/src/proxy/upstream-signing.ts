import type { IncomingMessage } from 'node:http';
import { createAwsSigner, type FetchFunction, isAwsSigned } from '@palimpsest/session/fetch';

/** Signs requests to Bedrock for its address. A client signs them for the address of the proxy. */
export interface UpstreamSigning {
  /**
   * Lets a request be signed again if its signature is valid, because then its client has the credentials. Other programs on
   * this machine must not use them.
   * @param headers those to send; changed
   */
  admit(request: IncomingMessage, headers: Headers, body: Uint8Array): Promise<void>;
  /** Makes calls, and signs those that were admitted. */
  readonly fetch: FetchFunction;
}

/**
 * @param call makes the calls
 * @param secret marks admitted requests; different for each proxy
 * @param onProblem called once with each reason why requests are not signed
 */
export function upstreamSigning(
  call: FetchFunction,
  secret: string,
  onProblem: (message: string) => void,
): UpstreamSigning {
  const signer = createAwsSigner();
  const reported = new Set<string>();
  const mark = `${secret} `;
  return {
    async admit(request, headers, body) {
      if (!isAwsSigned(headers)) return;
      const { method = 'GET', url = '/' } = request;
      const given = new Headers(
        Object.entries(request.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, one]),
        ),
      );
      const asked = { url: new URL(url, `http://${request.headers.host}`), method, headers: given, body };
      const obstacle = await signer.obstacle(given);
      const reason = obstacle ?? ((await signer.isGenuine(asked)) ? null : 'The signature of the request is wrong.');
      if (reason === null) headers.set('authorization', `${mark}${headers.get('authorization')}`);
      else if (!reported.has(reason)) {
        reported.add(reason);
        onProblem(`requests to Bedrock are signed for the address of the proxy, and cannot be signed again: ${reason}`);
      }
    },
    async fetch(input, init = {}) {
      const headers = new Headers(init.headers);
      const authorization = headers.get('authorization');
      if (!authorization?.startsWith(mark)) return call(input, init);
      headers.set('authorization', authorization.slice(mark.length));
      const body = (init.body ?? '') as string | Uint8Array;
      const signed = await signer.sign({ url: new URL(String(input)), method: init.method ?? 'GET', headers, body });
      return call(input, { ...init, headers: signed });
    },
  };
}
