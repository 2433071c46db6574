//! Servers that accept a connection and then say nothing, or stop in the middle.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use tourbillon_history::index::{Index, PostgresIndex, ServerAddress};

/// The code of a request for encryption.
const ENCRYPTION: [u8; 4] = [4, 210, 22, 47];
/// Authentication is not needed, and the server is ready.
const READY: &[u8] = b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I";
/// A statement is done, and the server is ready.
const DONE: &[u8] = b"C\0\0\0\x08SET\0Z\0\0\0\x05I";

/// A server that answers each message in turn, and no later one; gives its port. It ends with the client.
fn server(answers: &'static [&'static [u8]]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        for answer in answers {
            message(&mut stream);
            stream.write_all(answer).expect("the client reads");
        }
        let _ = stream.read_to_end(&mut Vec::new());
    });
    port
}

/// Reads a message of the client: the first two have no type.
fn message(stream: &mut impl Read) -> Vec<u8> {
    let mut head = [0; 1];
    stream.read_exact(&mut head).expect("a message");
    let mut length = [0; 4];
    let own = if head == [0] {
        &mut length[1..]
    } else {
        &mut length[..]
    };
    stream.read_exact(own).expect("a length");
    let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
    stream.read_exact(&mut body).expect("the message");
    body
}

/// The error of a connection with these limits in milliseconds.
fn failure(answers: &'static [&'static [u8]], more: &str, limits: [u64; 2]) -> String {
    failed_at(server(answers), more, limits)
}

/// The same of the server at a port.
fn failed_at(port: u16, more: &str, limits: [u64; 2]) -> String {
    let url = format!("postgres://ada:s3cret@127.0.0.1:{port}/x{more}");
    let address = ServerAddress::parse(&url)
        .expect("an address")
        .with_limits(limits.map(Duration::from_millis));
    let index = PostgresIndex::open(&address, |_| ());
    let error = index
        .and_then(|mut index| index.runs())
        .expect_err("no answer")
        .to_string();
    assert!(!error.contains("s3cret"), "{error}");
    let place = format!("postgres://ada@127.0.0.1:{port}/x: ");
    error.strip_prefix(&place).expect(&error).to_owned()
}

const NEVER: u64 = 600_000;

#[test]
fn a_silent_server_costs_the_limit_of_a_connection() {
    // Nothing; nothing after it was asked for encryption; nothing after it agreed; nothing after the user's name.
    let cases: [(&'static [&'static [u8]], &str); 5] = [
        (&[], ""),
        (&[], "?sslmode=verify-full&sslrootcert=CERTIFICATES"),
        (&[b"S"], "?sslmode=verify-full&sslrootcert=CERTIFICATES"),
        (&[b"R\0\0\0\x0c\0\0\0\x05abcd"], ""),
        (&[b"R\0\0"], ""),
    ];
    for (answers, more) in cases {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("ca.pem");
        std::fs::write(&file, CERTIFICATE).expect("a file");
        let more = more.replace("CERTIFICATES", file.to_str().expect("a path"));
        let error = failure(answers, &more, [50, NEVER]);
        let expected =
            "no answer within 50 ms; connect_timeout=SECONDS in the address sets another limit";
        assert_eq!(error, expected, "{answers:?} {more}");
    }
}

#[test]
fn a_server_that_becomes_silent_costs_the_limit_of_an_answer() {
    // After the connection, after the settings, in the middle of a message, in the middle of an answer.
    for answers in [
        &[READY][..],
        &[READY, DONE],
        &[READY, b"C\0\0"],
        &[READY, DONE, DONE],
    ] {
        let error = failure(answers, "", [NEVER, 50]);
        let expected =
            "no answer within 50 ms; answer_timeout=SECONDS in the address sets another limit";
        assert_eq!(error, expected, "{answers:?}");
    }
}

/// A server that goes on to say something after its first answers; gives its port.
fn endless(answers: &'static [&'static [u8]], more: &'static [u8]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        for answer in answers {
            message(&mut stream);
            stream.write_all(answer).expect("the client reads");
        }
        while stream.write_all(more).is_ok() {}
    });
    port
}

#[test]
fn what_a_server_sends_unasked_has_a_limit() {
    const SETTING: &[u8] = b"S\0\0\0\x08a\0b\0";
    const NOTICE: &[u8] = b"N\0\0\0\x17SNOTICE\0C00000\0Ma\0\0";
    const NAMED: &[u8] = b"R\0\0\0\x08\0\0\0\0";
    for (answers, more) in [
        (&[NAMED][..], SETTING),
        (&[NAMED], NOTICE),
        (&[READY], SETTING),
        (&[READY, DONE], SETTING),
        (&[READY, DONE], NOTICE),
    ] {
        let error = failed_at(endless(answers, more), "", [NEVER, NEVER]);
        let expected = "settings and notices have more than 1048576 bytes, the limit";
        assert!(error.ends_with(expected), "{error}");
    }
}

#[test]
fn what_a_server_says_reaches_no_terminal_as_it_is() {
    const ANSWER: &[u8] = b"E\0\0\0\x21SFATAL\0C28000\0Mno\x1b]0;x\x07\n\xe2\x80\xae\0\0";
    let error = failure(&[ANSWER], "", [NEVER, NEVER]);
    assert_eq!(error, "no\\u{1b}]0;x\\u{7}\\n\\u{202e}");
}

#[test]
fn encryption_is_asked_for_before_anything_else_is_said() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a port").port();
    let said = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let first = message(&mut stream);
        stream.write_all(b"N").expect("the client reads");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        (first, rest)
    });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ca.pem");
    std::fs::write(&file, CERTIFICATE).expect("a file");
    let url = format!(
        "Postgres://ada:s3cret@127.0.0.1:{port}/x?sslmode=require&sslrootcert={}",
        file.display()
    );
    let address = ServerAddress::parse(&url).expect("an address");
    let error = PostgresIndex::open(&address, |_| ()).expect_err("no encryption");
    assert!(error.to_string().contains("TLS"), "{error}");
    let (first, rest) = said.join().expect("a server");
    assert_eq!((first, rest), (ENCRYPTION.to_vec(), Vec::new()));
}

/// Of an authority that signs nothing.
const CERTIFICATE: &str = "\
-----BEGIN CERTIFICATE-----\n\
MIIBdzCCAR2gAwIBAgIUIC+ql5kzZC9cTu9HGC1Ra8FLCZEwCgYIKoZIzj0EAwIw\n\
EDEOMAwGA1UEAwwFdGVzdHMwIBcNMjYxMTI2MTUyNjQzWhgPMjEyNjExMDIxNTI2\n\
NDNaMBAxDjAMBgNVBAMMBXRlc3RzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n\
TIleJCYSiLLPB0yrA9CaSUBKgf/8KphT9rJ0CDf2zJy2Lb3OtXWnx3TB4ZBY750T\n\
Ef1KqPcB/6u/OXzU3I/2kqNTMFEwHQYDVR0OBBYEFDWw+kR3diyT8btXYyKxC4AB\n\
7oChMB8GA1UdIwQYMBaAFDWw+kR3diyT8btXYyKxC4AB7oChMA8GA1UdEwEB/wQF\n\
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgXs7lk3AAQEWAFSq2hwFEiWSQB49vUk8Z\n\
O86fxhco30cCIQDTH8THX3VHK7/hCXbjckQPBYALRXW83Zh99PtrkGTHiQ==\n\
-----END CERTIFICATE-----\n";
