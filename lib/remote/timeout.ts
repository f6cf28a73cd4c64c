/** What ends a request: whoever asks for it, or the time. */
export function withTimeout(milliseconds: number | undefined, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const late = () => controller.abort(new Error(`no answer came within ${milliseconds} ms`));
  const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, end };
}
