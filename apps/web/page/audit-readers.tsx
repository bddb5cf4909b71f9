import type { ComponentChildren, JSX } from 'preact';

import { useMe } from './session.js';

/** Content that needs the scope `audit`. Members see who can read it instead. */
export function AuditReaders({
  what,
  children,
}: {
  /** The content in a word, at the start of a sentence. */
  readonly what: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const me = useMe();
  if (me.role !== 'member') return <>{children}</>;
  return (
    <p class="meta">
      {what}: owners and auditors of {me.tenant_name} can read this.
    </p>
  );
}
