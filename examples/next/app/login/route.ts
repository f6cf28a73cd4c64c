export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  if (form.get('name') !== 'ada' || form.get('password') !== 'analytical')
    return new Response('No.\n', { status: 401 });
  // In your own program, use a random session ID.
  const headers = { location: '/', 'set-cookie': 'login=ada; HttpOnly; SameSite=Lax; Path=/' };
  return new Response(undefined, { status: 303, headers });
}
