//! A limit for what a server sends unasked: tokio-postgres keeps all settings that one announces.

use std::future::{Ready, ready};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::future::{MapOk, TryFutureExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::Socket;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres_rustls::MakeRustlsConnect;
use tourbillon_values::limits::{ANNOUNCED_BYTES, ANSWER_BYTES};

/// Settings, notices and notifications, as messages name their kinds.
const ANNOUNCEMENTS: &[u8] = b"SNA";

/// The messages of a server, up to an announcement or an answer past its limit.
pub(super) struct Limited<S> {
    stream: S,
    messages: Messages,
    binding: fn(&S) -> ChannelBinding,
}

impl<S> Limited<S> {
    /// Messages that are not encrypted.
    pub(super) fn plain(stream: S) -> Limited<S> {
        Limited {
            stream,
            messages: Messages::default(),
            binding: |_| ChannelBinding::none(),
        }
    }
}

impl<S: TlsStream> Limited<S> {
    fn encrypted(stream: S) -> Limited<S> {
        Limited {
            binding: S::channel_binding,
            ..Limited::plain(stream)
        }
    }
}

/// Makes streams of messages that are not encrypted, as if they were.
#[derive(Clone)]
pub(super) struct Plain;

/// Makes streams of messages that are.
pub(super) struct Encrypted<T>(pub(super) T);

impl MakeTlsConnect<Socket> for Plain {
    type Stream = Limited<Socket>;
    type TlsConnect = Plain;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _: &str) -> io::Result<Plain> {
        Ok(Plain)
    }
}

impl TlsConnect<Socket> for Plain {
    type Stream = Limited<Socket>;
    type Error = io::Error;
    type Future = Ready<io::Result<Limited<Socket>>>;

    fn connect(self, stream: Socket) -> Self::Future {
        ready(Ok(Limited::plain(stream)))
    }
}

type Rustls = <MakeRustlsConnect as MakeTlsConnect<Socket>>::TlsConnect;
type RustlsStream = <Rustls as TlsConnect<Socket>>::Stream;

impl MakeTlsConnect<Socket> for Encrypted<MakeRustlsConnect> {
    type Stream = Limited<RustlsStream>;
    type TlsConnect = Encrypted<Rustls>;
    type Error = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Error;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Self::TlsConnect, Self::Error> {
        MakeTlsConnect::<Socket>::make_tls_connect(&mut self.0, domain).map(Encrypted)
    }
}

impl TlsConnect<Socket> for Encrypted<Rustls> {
    type Stream = Limited<RustlsStream>;
    type Error = <Rustls as TlsConnect<Socket>>::Error;
    type Future =
        MapOk<<Rustls as TlsConnect<Socket>>::Future, fn(RustlsStream) -> Limited<RustlsStream>>;

    fn connect(self, stream: Socket) -> Self::Future {
        self.0.connect(stream).map_ok(Limited::encrypted)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Limited<S> {
    fn channel_binding(&self) -> ChannelBinding {
        (self.binding)(&self.stream)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Limited<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        Poll::Ready(self.messages.follow(&buffer.filled()[before..]))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Limited<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Where messages begin: each has a letter, its length without that, and its contents.
#[derive(Debug, Default)]
struct Messages {
    head: Vec<u8>,
    /// Bytes of the contents that have not arrived.
    left: u64,
    /// Bytes of all announcements.
    announced: u64,
}

impl Messages {
    /// Follows what has arrived.
    fn follow(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some((&first, rest)) = bytes.split_first() {
            if self.left > 0 {
                let skipped = bytes
                    .len()
                    .min(usize::try_from(self.left).unwrap_or(usize::MAX));
                self.left -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            self.head.push(first);
            bytes = rest;
            if let &[kind, a, b, c, d] = &self.head[..] {
                self.head.clear();
                self.begin(kind, u32::from_be_bytes([a, b, c, d]).into())?;
            }
        }
        Ok(())
    }

    /// `length` counts itself, in four bytes.
    fn begin(&mut self, kind: u8, length: u64) -> io::Result<()> {
        self.left = length.saturating_sub(4);
        if ANNOUNCEMENTS.contains(&kind) {
            self.announced += length;
        }
        for (is_over, what, most) in [
            (length > ANSWER_BYTES, "an answer has", ANSWER_BYTES),
            (
                self.announced > ANNOUNCED_BYTES,
                "settings and notices have",
                ANNOUNCED_BYTES,
            ),
        ] {
            if is_over {
                let what = format!("{what} more than {most} bytes, the limit");
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(kind: u8, contents: u32) -> Vec<u8> {
        let head = [&[kind][..], &(contents + 4).to_be_bytes()].concat();
        [head, vec![b'Z'; contents as usize]].concat()
    }

    #[test]
    fn announcements_have_a_limit_however_they_arrive() {
        let [answer, setting] = [b'D', b'S'].map(|kind| message(kind, 96));
        let most = ANNOUNCED_BYTES / 100;
        for piece in [1, 3, 101, 1000] {
            let mut messages = Messages::default();
            let mut all = setting.repeat(most as usize);
            all.extend(answer.repeat(10));
            for bytes in all.chunks(piece) {
                messages.follow(bytes).expect("within the limit");
            }
            let mut pieces = setting.chunks(piece);
            let error = pieces.find_map(|bytes| messages.follow(bytes).err());
            let expected =
                format!("settings and notices have more than {ANNOUNCED_BYTES} bytes, the limit");
            assert_eq!(error.expect("past the limit").to_string(), expected);
        }
    }

    #[test]
    fn a_message_past_the_limit_is_not_awaited() {
        let follow = |length: u32| {
            let head = [&b"D"[..], &length.to_be_bytes()].concat();
            Messages::default().follow(&head)
        };
        assert!(follow(1 << 30).is_ok());
        assert!(follow((1 << 30) + 1).is_err());
        assert!(follow(u32::MAX).is_err());
        assert!(follow(0).is_ok(), "tokio-postgres refuses it");
    }
}
