/** Aborts on the given signal or after the timeout. Call `end` when the request is done. */
export function withTimeout(milliseconds: number | undefined, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new Error(`no response within ${milliseconds} ms`));
  const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}
